// A top-level comment with its replies, which are folded until the member opens them, and the box for a reply.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { repliesQuery } from '@/api/comments';
import { itemsOf } from '@/api/pages';
import type { Comment, Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { catchTyping } from '@/ui/type-ahead';
import { CommentBox } from './comment-fields';
import { CommentRow } from './comment-row';
import { LoadFailure } from './load-failure';

interface CommentThreadProps {
  comment: Comment;
  post: Post;
  /** The id of the comment or reply that the address of the page names. */
  linked?: string;
  /** The named reply, if it belongs to this comment. */
  linkedReply?: Comment;
}

/** Needs the texts of `posts` and `network`. */
export function CommentThread({ comment, post, linked, linkedReply }: CommentThreadProps) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  // Undefined until the member opens or folds them.
  const [open, setOpen] = useState<boolean>();
  const [answered, setAnswered] = useState<Comment>();
  const isOpen = open ?? (linked === comment.id || linkedReply !== undefined);

  const replyTo = (to: Comment) => {
    catchTyping();
    setOpen(true);
    setAnswered(to);
  };
  return (
    <CommentRow
      comment={comment}
      post={post}
      isLinked={linked === comment.id}
      onReply={() => replyTo(comment)}
    >
      {comment.replyCount > 0 && (
        <button
          type="button"
          className="link mt-0.5 flex min-h-6 cursor-pointer items-center gap-1 px-3.5 text-caption font-medium"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown className={`icon-sm ${isOpen ? 'rotate-180' : ''}`} />
          {t('replies', { count: comment.replyCount })}
        </button>
      )}
      {isOpen && comment.replyCount > 0 && (
        <Replies comment={comment} post={post} linked={linked} linkedReply={linkedReply} onReply={replyTo} />
      )}
      {answered && user && (
        <div className="mt-3">
          <CommentBox
            key={answered.id}
            post={post}
            user={user}
            replyTo={answered}
            onClose={() => setAnswered(undefined)}
          />
        </div>
      )}
    </CommentRow>
  );
}

interface RepliesProps extends CommentThreadProps {
  onReply: (to: Comment) => void;
}

function Replies({ comment, post, linked, linkedReply, onReply }: RepliesProps) {
  const { t } = useTranslation('posts');
  const { data, isError, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    repliesQuery(post.id, comment.id),
  );
  const replies = itemsOf(data);
  const row = (reply: Comment) => (
    <CommentRow
      key={reply.id}
      comment={reply}
      post={post}
      isLinked={reply.id === linked}
      onReply={() => onReply(reply)}
    />
  );
  // The named reply is newer than the loaded ones.
  const isBeyond = linkedReply && data && replies.every(({ id }) => id !== linkedReply.id);
  return (
    <div className="mt-3 space-y-3" aria-busy={isFetching}>
      {replies.length > 0 && <ul className="space-y-3">{replies.map(row)}</ul>}
      {isError && (
        <LoadFailure
          text={t('repliesFailed')}
          disabled={isFetching}
          onRetry={() => void (data ? fetchNextPage() : refetch())}
        />
      )}
      {hasNextPage && (
        <button
          type="button"
          className="link reach text-caption font-medium disabled:opacity-50"
          disabled={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {t('moreReplies')}
        </button>
      )}
      {isBeyond && <ul className="space-y-3">{row(linkedReply)}</ul>}
    </div>
  );
}
