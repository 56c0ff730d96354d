// A comment or reply: author, time, edited mark, text, and actions.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Comment, Post } from '@/api/schema.gen';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { RelativeTime } from '@/ui/relative-time';
import { VerifiedMark } from '@/ui/verified-mark';
import { CommentActions } from './comment-actions';
import { CommentEdit } from './comment-fields';
import { CommentMenu } from './comment-menu';
import { EditMark } from './edit-mark';
import { RichText } from './text/rich-text';

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
