// The signed-in member's reaction to a post or a comment. It shows from the press on, with the count and the icons.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { mutationsOf } from '@/api/reread';
import { postsChanged } from '@/api/saved';
import type { Comment, Post, ReactionType } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { toast } from '@/ui/toast';

export interface Reaction {
  mine: ReactionType | null;
  /** Sets the reaction, or removes it. A visitor is asked to sign in. */
  set: (type: ReactionType | null) => void;
  /** As served, with the member's reaction as it was pressed. */
  likes: Post['likes'];
  likeCount: number;
}

interface Subject extends Pick<Reaction, 'likes' | 'likeCount'> {
  kind: 'post' | 'comment';
  id: string;
  /** The id of the post. Mutations of the post and its comments keep an older state from replacing it. */
  postId: string;
}

export const usePostReaction = ({ id, likes, likeCount }: Post): Reaction =>
  useReaction({ kind: 'post', id, postId: id, likes, likeCount });

/** A gateway of the previous release sends comments without reactions. */
export const useCommentReaction = (postId: string, { id, likes = [], likeCount = 0 }: Comment): Reaction =>
  useReaction({ kind: 'comment', id, postId, likes, likeCount });

const texts = {
  post: { signIn: 'signInToLike', failed: 'likeFailed' },
  comment: { signIn: 'signInToLikeComment', failed: 'likeCommentFailed' },
} as const;

function useReaction({ kind, id, postId, likes, likeCount }: Subject): Reaction {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const react = useChange({
    mutationKey: mutationsOf('post', postId),
    // Serial, so that the last choice wins.
    scope: { id: `reaction ${id}` },
    mutationFn: ({ by, type }: { by: string; type: ReactionType | null }) => {
      const path = `/api/${kind}s/{id}/likes` as const;
      const params = { path: { id } };
      return type
        ? read<unknown>(api.POST(path, { params, body: { userId: by, type } }))
        : read<unknown>(api.DELETE(path, { params }));
    },
    failed: ({ message }) => t(texts[kind].failed, { message }),
    // List and single post have this key prefix. Waiting for the refetch keeps the button as it was pressed.
    onSuccess: () => postsChanged(queryClient),
  });
  const set = (type: ReactionType | null) => {
    if (user) react.mutate({ by: user.id, type });
    else toast({ title: t('signInRequired'), description: t(texts[kind].signIn), variant: 'info' });
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
