// Mutes, and ends a mute.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { feedsChanged, mutesQuery } from '@/api/feed-control';
import type { CreateMute, Mute } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';

export function useMute(onMuted: () => void) {
  const { t } = useTranslation('feeds');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: (body: CreateMute) => read(api.POST('/api/mutes', { body })),
    done: () => ({ title: t('muted') }),
    failed: ({ message }) => t('muteFailed', { message }),
    onSuccess: (mute) => {
      queryClient.setQueryData(
        mutesQuery.queryKey,
        (mutes) => mutes && [mute, ...mutes.filter(({ id }) => id !== mute.id)],
      );
      onMuted();
      return feedsChanged(queryClient);
    },
  });
}

export function useUnmute(onUnmuted: () => void) {
  const { t } = useTranslation('feeds');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: ({ id }: Mute) => read<unknown>(api.DELETE('/api/mutes/{id}', { params: { path: { id } } })),
    failed: ({ message }) => t('settings.unmuteFailed', { message }),
    onSuccess: (_, { id }) => {
      queryClient.setQueryData(mutesQuery.queryKey, (mutes) => mutes?.filter((mute) => mute.id !== id));
      onUnmuted();
      return feedsChanged(queryClient);
    },
  });
}
