// Follows or unfollows a member: optimistic, reverted with a toast when the server refuses.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { followQuery, followsQuery } from '@/api/feed-control';
import type { Author } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

/** Needs the texts of `feeds`. */
export function useFollowing({ id, fullName: name }: Pick<Author, 'id' | 'fullName'>) {
  const { t } = useTranslation(['feeds', 'shell']);
  const queryClient = useQueryClient();
  const set = (followed: boolean) => queryClient.setQueryData(followQuery(id).queryKey, { followed });
  const params = { path: { memberId: id } };
  return useMutation({
    mutationFn: (follow: boolean) =>
      follow
        ? read<unknown>(api.PUT('/api/follows/{memberId}', { params }))
        : read<unknown>(api.DELETE('/api/follows/{memberId}', { params })),
    onMutate: set,
    onSuccess: (_, follow) => {
      toast({ title: t(follow ? 'followed' : 'unfollowed', { name }), variant: 'success' });
      void queryClient.invalidateQueries({ queryKey: followsQuery.queryKey });
      // The list on screen does not move.
      void queryClient.invalidateQueries({ queryKey: ['/api/posts'], refetchType: 'none' });
    },
    onError: ({ message }, follow) => {
      set(!follow);
      toast({
        title: t('shell:error'),
        description: t(follow ? 'followFailed' : 'unfollowFailed', { message }),
        variant: 'destructive',
      });
    },
  });
}
