// Hides a post, and shows it again: optimistic, reverted with a toast when the server refuses.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { hiddenPostsQuery } from '@/api/feed-control';
import { setHiddenHere } from '@/api/hidden-here';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

/** Needs the texts of `feeds`. Null shows the post again. */
export function useHiding(id: string) {
  const { t } = useTranslation(['feeds', 'shell']);
  const queryClient = useQueryClient();
  const params = { path: { id } };
  return useMutation({
    mutationFn: (notInterested: boolean | null) =>
      notInterested === null
        ? read<unknown>(api.DELETE('/api/hidden-posts/{id}', { params }))
        : read<unknown>(api.PUT('/api/hidden-posts/{id}', { params, body: { notInterested } })),
    onMutate: (notInterested) => setHiddenHere(queryClient, id, notInterested),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: hiddenPostsQuery.queryKey }),
    onError: ({ message }, notInterested) => {
      setHiddenHere(queryClient, id, notInterested === null ? false : null);
      toast({
        title: t('shell:error'),
        description: t(notInterested === null ? 'unhideFailed' : 'hideFailed', { message }),
        variant: 'destructive',
      });
    },
  });
}
