// A comment or reply: author, time, edited mark, text, and actions.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { commentLikesQuery } from '@/api/comments';
import type { Comment, Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { RelativeTime } from '@/ui/relative-time';
import { toast } from '@/ui/toast';
import { VerifiedMark } from '@/ui/verified-mark';
import { CommentEdit } from './comment-fields';
import { CommentMenu } from './comment-menu';
import { EditMark } from './edit-mark';
import { ReactionControl } from './reaction-control';
import { Reactors } from './reactors';
import { RichText } from './text/rich-text';
import { useCommentReaction } from './use-reaction';

interface CommentRowProps {
  comment: Comment;
  post: Post;
  /** The address of the page names this comment: it is highlighted and scrolled to. */
  isLinked?: boolean;
  onReply: () => void;
  /** Below the actions: the replies. */
  children?: ReactNode;
}

/** Needs the texts of `posts` and `network`. */
export function CommentRow({ comment, post, isLinked = false, onReply, children }: CommentRowProps) {
  // Undefined before the first edit.
  const [editing, setEditing] = useState<boolean>();
  const bubble = useScrollTo(isLinked);
  useLayoutEffect(() => {
    // The field had the focus, unless the member has moved it elsewhere.
    if (editing === false && document.activeElement === document.body)
      bubble.current?.focus({ preventScroll: true });
  }, [editing, bubble]);
  const { id, user, content, mentions, createdAt, editedAt } = comment;
  const avatar = <Avatar user={user} size={32} decorative />;

  if (editing)
    return (
      <li className="flex gap-3">
        {avatar}
        <CommentEdit comment={comment} onClose={() => setEditing(false)} />
      </li>
    );
  return (
    <li className="flex gap-3">
      {avatar}
      <div className="min-w-0 flex-1">
        <div
          ref={bubble}
          tabIndex={-1}
          aria-current={isLinked || undefined}
          className={`scroll-my-24 rounded-lg rounded-tl-xs px-3.5 py-2.5 ${isLinked ? 'bg-selected ring-2 ring-gold' : 'bg-muted'}`}
        >
          <div className="flex items-start gap-2">
            <p className="min-w-0 flex-1 text-caption">
              <Link to={paths.profile(user.id)} dir="auto" className="font-semibold hover:underline">
                {user.fullName}
              </Link>
              <VerifiedMark member={user} className="ml-1" />
              <span className="text-micro text-muted-foreground">
                {' · '}
                <Link to={paths.comment(post.id, id)} className="whitespace-nowrap hover:underline">
                  <RelativeTime at={createdAt} />
                </Link>
                {editedAt && (
                  <>
                    {' · '}
                    <EditMark at={editedAt} />
                  </>
                )}
              </span>
            </p>
            <CommentMenu
              comment={comment}
              post={post}
              onEdit={() => setEditing(true)}
              className="-my-1.5 -mr-2"
            />
          </div>
          <p dir="auto" className="mt-0.5 whitespace-pre-line text-ui wrap-anywhere">
            <RichText topics mentions={mentions}>
              {content}
            </RichText>
          </p>
        </div>
        <CommentActions comment={comment} post={post} onReply={onReply} />
        {children}
      </div>
    </li>
  );
}

/** Scrolls to the element and moves the focus there, once. */
function useScrollTo(isLinked: boolean) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isLinked) return;
    element.current?.scrollIntoView({ block: 'center' });
    element.current?.focus({ preventScroll: true });
  }, [isLinked]);
  return element;
}

interface CommentActionsProps {
  comment: Comment;
  post: Post;
  onReply: () => void;
}

/** At least 24 px high, like every target. */
const action = 'min-h-6 cursor-pointer rounded-sm px-1 font-semibold hover:underline';

/** The actions below a comment: react, reply, and the number of reactions, which opens the list of members. */
function CommentActions({ comment, post, onReply }: CommentActionsProps) {
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
