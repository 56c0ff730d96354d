// Saves an item or removes it: optimistic, reverted with a toast when the server refuses.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { isSaved, savedIdsQuery, savedLists } from '@/api/saved';
import type { SavedId } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { toast } from '@/ui/toast';

export function useSaving({ kind, id }: SavedId) {
  const { t } = useTranslation('saved');
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const { data: ids } = useQuery({ ...savedIdsQuery, enabled: user !== null });
  const show = (saved: boolean) =>
    queryClient.setQueryData(savedIdsQuery.queryKey, (before) => {
      const others = before?.filter((one) => one.kind !== kind || one.id !== id) ?? [];
      return saved ? [{ kind, id }, ...others] : others;
    });
  const change = useChange({
    mutationFn: (saved: boolean) => {
      const params = { path: { kind, id } };
      return saved
        ? read(api.PUT('/api/saved-items/{kind}/{id}', { params }))
        : read(api.DELETE('/api/saved-items/{kind}/{id}', { params }));
    },
    done: (_, saved) => ({
      title: t(saved ? 'done' : 'undone'),
      ...(saved && { description: t('doneText') }),
    }),
    failed: ({ message }, saved) => t(saved ? 'failed' : 'removeFailed', { message }),
    onMutate: async (saved) => {
      // A running fetch does not contain the change.
      await queryClient.cancelQueries(savedIdsQuery);
      show(saved);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: savedLists }),
    onError: (_, saved) => show(!saved),
  });
  const saved = isSaved(ids, { kind, id });
  const toggle = () => {
    if (!user) toast({ title: t('signInRequired'), description: t('signIn'), variant: 'info' });
    else if (!change.isPending) change.mutate(!saved);
  };
  return { saved, toggle };
}
