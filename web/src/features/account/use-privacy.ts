// The privacy settings with their changes, which apply at once.
import { useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { privacySettingsQuery } from '@/api/queries';
import type { PrivacySettings, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';

const changing = ['change privacy settings'];

/** Pending changes are shown optimistically and disappear on failure. */
export function usePrivacy({ id }: User) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const query = privacySettingsQuery(id);
  const { data, isPending, refetch } = useQuery(query);
  const { mutate } = useChange({
    mutationKey: changing,
    // Serial, so that the last change of the member is applied last.
    scope: { id: 'privacy settings' },
    mutationFn: (changes: Partial<PrivacySettings>) =>
      read(api.PATCH('/api/users/{id}/privacy', { params: { path: { id } }, body: changes })),
    failed: ({ message }) => t('privacy.changeFailed', { message }),
    onSuccess: (changed) => queryClient.setQueryData(query.queryKey, changed),
  });
  const wanted = useMutationState({
    filters: { mutationKey: changing, status: 'pending' },
    select: ({ state }) => state.variables as Partial<PrivacySettings>,
  });
  const settings: PrivacySettings | undefined = data && Object.assign({}, data, ...wanted);
  return { settings, isPending, refetch, change: mutate };
}
