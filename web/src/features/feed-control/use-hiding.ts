// Hides a post, and shows it again: optimistic, reverted with a toast when the server refuses.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { hiddenPostsQuery } from '@/api/feed-control';
import { setHideNotice } from '@/api/hide-notices';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';

/** Needs the texts of `feeds`. Null shows the post again. */
export function useHiding(id: string) {
  const { t } = useTranslation('feeds');
  const queryClient = useQueryClient();
  const params = { path: { id } };
  return useChange({
    mutationFn: (notInterested: boolean | null) =>
      notInterested === null
        ? read<unknown>(api.DELETE('/api/hidden-posts/{id}', { params }))
        : read<unknown>(api.PUT('/api/hidden-posts/{id}', { params, body: { notInterested } })),
    failed: ({ message }, notInterested) =>
      t(notInterested === null ? 'unhideFailed' : 'hideFailed', { message }),
    onMutate: (notInterested) => setHideNotice(queryClient, id, notInterested),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: hiddenPostsQuery.queryKey }),
    onError: (_, notInterested) => setHideNotice(queryClient, id, notInterested === null ? false : null),
  });
}
