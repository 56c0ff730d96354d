// Follows or unfollows a member: optimistic, reverted with a toast when the server refuses.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { followQuery, followsQuery } from '@/api/feed-control';
import type { Author } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';

export function useFollowing({ id, fullName: name }: Pick<Author, 'id' | 'fullName'>) {
  const { t } = useTranslation('feeds');
  const queryClient = useQueryClient();
  const set = (followed: boolean) => queryClient.setQueryData(followQuery(id).queryKey, { followed });
  const params = { path: { memberId: id } };
  return useChange({
    mutationFn: (follow: boolean) =>
      follow
        ? read<unknown>(api.PUT('/api/follows/{memberId}', { params }))
        : read<unknown>(api.DELETE('/api/follows/{memberId}', { params })),
    done: (_, follow) => ({ title: t(follow ? 'followed' : 'unfollowed', { name }) }),
    failed: ({ message }, follow) => t(follow ? 'followFailed' : 'unfollowFailed', { message }),
    onMutate: set,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: followsQuery.queryKey });
      // The list on screen does not move.
      void queryClient.invalidateQueries({ queryKey: ['/api/posts'], refetchType: 'none' });
    },
    onError: (_, follow) => set(!follow),
  });
}
