// The signed-in member's reaction to a post. It shows from the press on, with the count and the icons.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { mutationsOf } from '@/api/reread';
import { postsChanged } from '@/api/saved';
import type { Post, ReactionType } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';

export interface Reaction {
  mine: ReactionType | null;
  /** Sets the reaction, or removes it. A visitor is asked to sign in. */
  set: (type: ReactionType | null) => void;
  /** As served, with the member's reaction as it was pressed. */
  likes: Post['likes'];
  likeCount: number;
}

export function useReaction({ id, likes, likeCount }: Post): Reaction {
  const { t } = useTranslation(['posts', 'shell']);
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const react = useMutation({
    mutationKey: mutationsOf('post', id),
    // Serial, so that the last choice wins.
    scope: { id: `reaction ${id}` },
    mutationFn: ({ by, type }: { by: string; type: ReactionType | null }) => {
      const params = { path: { id } };
      return type
        ? read<unknown>(api.POST('/api/posts/{id}/likes', { params, body: { userId: by, type } }))
        : read<unknown>(api.DELETE('/api/posts/{id}/likes', { params }));
    },
    // List and single post have this key prefix. Waiting for the refetch keeps the button as it was pressed.
    onSuccess: () => postsChanged(queryClient),
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('likeFailed', { message }),
        variant: 'destructive',
      }),
  });
  const set = (type: ReactionType | null) => {
    if (user) react.mutate({ by: user.id, type });
    else toast({ title: t('signInRequired'), description: t('signInToLike'), variant: 'info' });
  };
  const served = likes.find(({ userId }) => userId === user?.id)?.type ?? null;
  if (!react.isPending) return { mine: served, set, likes, likeCount };
  const { by, type } = react.variables;
  const others = likes.filter(({ userId }) => userId !== by);
  return {
    mine: type,
    set,
    likes: type ? [{ userId: by, type }, ...others] : others,
    likeCount: likeCount + Number(type !== null) - Number(served !== null),
  };
}
