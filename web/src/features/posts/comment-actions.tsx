// The actions below a comment: react, reply, and the number of reactions, which opens the list of members.
import { commentLikesQuery } from '@/api/comments';
import type { Comment, Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';
import { ReactionControl } from './reaction-control';
import { Reactors } from './reactors';
import { useCommentReaction } from './use-reaction';

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
  const reaction = useCommentReaction(post.id, comment);
  const { mine } = reaction;
  const { fullName: name } = comment.user;

  const refuse = (text: string) => toast({ title: t('signInRequired'), description: text, variant: 'info' });
  return (
    <div className="mt-0.5 flex flex-wrap items-center gap-x-2 px-2.5 text-micro text-muted-foreground">
      <ReactionControl mine={mine} set={reaction.set} openerClassName="left-full">
        {({ className, ...button }) => (
          <button
            type="button"
            className={`${action} ${className}`}
            aria-label={
              mine && mine !== 'like'
                ? t('reactedToComment', { reaction: t(`reaction.${mine}`), name })
                : t('likeComment', { name })
            }
            {...button}
          >
            {t(`reaction.${mine ?? 'like'}`)}
          </button>
        )}
      </ReactionControl>
      <button
        type="button"
        className={action}
        data-reply
        aria-label={t('replyToComment', { name })}
        onClick={() => (user ? onReply() : refuse(t('signInToComment')))}
      >
        {t('reply')}
      </button>
      {reaction.likeCount > 0 && (
        <Reactors query={commentLikesQuery(post.id, comment.id)} className={`${action} font-normal!`}>
          {t('likes', { count: reaction.likeCount })}
        </Reactors>
      )}
    </div>
  );
}
