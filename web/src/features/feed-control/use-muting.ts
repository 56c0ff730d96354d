// Mutes, and ends a mute.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { feedsChanged, mutesQuery } from '@/api/feed-control';
import type { Mute, NewMute } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

/** Needs the texts of `feeds`. */
export function useMute(onMuted: () => void) {
  const { t } = useTranslation(['feeds', 'shell']);
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewMute) => read(api.POST('/api/mutes', { body })),
    onSuccess: (mute) => {
      queryClient.setQueryData(
        mutesQuery.queryKey,
        (mutes) => mutes && [mute, ...mutes.filter(({ id }) => id !== mute.id)],
      );
      onMuted();
      toast({ title: t('muted'), variant: 'success' });
      return feedsChanged(queryClient);
    },
    onError: ({ message }) =>
      toast({ title: t('shell:error'), description: t('muteFailed', { message }), variant: 'destructive' }),
  });
}

/** Needs the texts of `feeds`. */
export function useUnmute(onUnmuted: () => void) {
  const { t } = useTranslation(['feeds', 'shell']);
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Mute) => read<unknown>(api.DELETE('/api/mutes/{id}', { params: { path: { id } } })),
    onSuccess: (_, { id }) => {
      queryClient.setQueryData(mutesQuery.queryKey, (mutes) => mutes?.filter((mute) => mute.id !== id));
      onUnmuted();
      return feedsChanged(queryClient);
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('settings.unmuteFailed', { message }),
        variant: 'destructive',
      }),
  });
}
