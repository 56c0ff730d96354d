// The actions below a comment: like, reply, and the number of likes, which opens the list of members.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { commentLikesQuery } from '@/api/comments';
import { postsChanged } from '@/api/saved';
import type { Comment, Post } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';
import { Reactors } from './reactors';

interface CommentActionsProps {
  comment: Comment;
  post: Post;
  onReply: () => void;
}

/** At least 24 px high, like every target. */
const action = 'min-h-6 cursor-pointer rounded-sm px-1 font-semibold hover:underline';

export function CommentActions({ comment, post, onReply }: CommentActionsProps) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const like = useLike(comment);
  const { fullName: name } = comment.user;

  const refuse = (text: string) => toast({ title: t('signInRequired'), description: text, variant: 'info' });
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-2 px-2.5 text-micro text-muted-foreground">
      <button
        type="button"
        className={`${action} ${like.isMine ? 'text-gold-text' : ''}`}
        aria-pressed={like.isMine}
        aria-label={t('likeComment', { name })}
        onClick={() => {
          if (!user) refuse(t('signInToLikeComment'));
          // Ignores a second press until the first has a response.
          else if (!like.isPending) like.toggle();
        }}
      >
        {t('reaction.like')}
      </button>
      <button
        type="button"
        className={action}
        aria-label={t('replyToComment', { name })}
        onClick={() => (user ? onReply() : refuse(t('signInToComment')))}
      >
        {t('reply')}
      </button>
      {like.count > 0 && (
        <Reactors query={commentLikesQuery(post.id, comment.id)} className={`${action} font-normal!`}>
          {t('likes', { count: like.count })}
        </Reactors>
      )}
    </p>
  );
}

/** A gateway of the previous release sends comments without reactions. */
function useLike({ id, likes = [], likeCount = 0 }: Comment) {
  const { t } = useTranslation(['posts', 'shell']);
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const params = { path: { id } };
  const wasMine = likes.some(({ userId }) => userId === user?.id);
  const change = useMutation({
    mutationFn: (on: boolean) =>
      on
        ? read<unknown>(
            api.POST('/api/comments/{id}/likes', { params, body: { userId: user?.id, type: 'like' } }),
          )
        : read<unknown>(api.DELETE('/api/comments/{id}/likes', { params })),
    // Waiting for the refetch keeps the button as it was pressed.
    onSuccess: () => postsChanged(queryClient),
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('likeCommentFailed', { message }),
        variant: 'destructive',
      }),
  });
  const isMine = change.isPending ? change.variables : wasMine;
  return {
    isMine,
    count: likeCount + Number(isMine) - Number(wasMine),
    isPending: change.isPending,
    toggle: () => change.mutate(!wasMine),
  };
}
