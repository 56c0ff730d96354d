// The comments of a post: in a list the newest, earlier ones on demand; on its own page the whole conversation.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { commentQuery, commentsQuery } from '@/api/comments';
import { isUnknown } from '@/api/error';
import type { Comment, Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { CommentThread } from './comment-thread';
import { LoadFailure } from './load-failure';

interface CommentsProps {
  post: Post;
  /** On the page of the post. */
  whole?: boolean;
  /** The id of the comment that the address of the page names. */
  linked?: string;
}

export function Comments({ post, whole = false, linked }: CommentsProps) {
  const { t } = useTranslation('posts');
  const [earlier, setEarlier] = useState(whole);
  const enabled = earlier && post.commentCount > 0;
  const query = useInfiniteQuery({ ...commentsQuery(post.id), enabled });
  const { isFetching, hasNextPage, fetchNextPage, refetch } = query;
  // A list does not show what the page of the post has loaded.
  const data = enabled ? query.data : undefined;
  const isError = enabled && query.isError;
  // A page is oldest first and the next page is older: the last fetched page is at the top.
  const loaded = data?.pages.toReversed().flatMap(({ items }) => items);
  const shown = loaded ?? post.comments;
  const embedded = post.comments.reduce((sum, { replyCount = 0 }) => sum + 1 + replyCount, 0);
  const more = data ? hasNextPage : post.commentCount > embedded;
  // Before the list is complete, comments would move away that are scrolled to.
  const isSettled = loaded !== undefined || isError || post.commentCount === 0;
  const { thread, reply, isGone } = useLinkedComment(post.id, linked, isSettled ? shown : undefined);
  // The named thread is older than the loaded ones.
  const isBefore = thread && shown.every(({ id }) => id !== thread.id);

  return (
    <>
      {isGone && <p className="text-caption text-muted-foreground">{t('commentGone')}</p>}
      {isBefore && (
        <ul>
          <CommentThread comment={thread} post={post} linked={linked} linkedReply={reply} />
        </ul>
      )}
      {more && (
        <button
          type="button"
          className="link reach text-caption font-medium disabled:opacity-50"
          disabled={isFetching}
          onClick={() => (earlier ? void fetchNextPage() : setEarlier(true))}
        >
          {t('earlierComments')}
        </button>
      )}
      {isError && (
        <LoadFailure
          text={t('earlierFailed')}
          disabled={isFetching}
          onRetry={() => void (data ? fetchNextPage() : refetch())}
        />
      )}
      {shown.length > 0 && (
        <ul className="space-y-3">
          {shown.map((comment) => (
            <CommentThread
              key={comment.id}
              comment={comment}
              post={post}
              linked={isSettled ? linked : undefined}
              linkedReply={comment.id === thread?.id ? reply : undefined}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface LinkedComment {
  /** The top-level comment: the named one, or the one that the named reply belongs to. */
  thread?: Comment;
  /** The named reply. */
  reply?: Comment;
  /** It was deleted, or the viewer may not see it. */
  isGone: boolean;
}

/**
 * The comment that the address of the page names, with its thread, wherever it is in the conversation. `shown` are the
 * top-level comments on screen; undefined while they are loading.
 */
function useLinkedComment(
  postId: string,
  linked: string | undefined,
  shown: Comment[] | undefined,
): LinkedComment {
  const find = (id: string | null | undefined) => shown?.find((comment) => comment.id === id);
  const isMissing = linked !== undefined && shown !== undefined && !find(linked);
  const named = useQuery({ ...commentQuery(postId, linked ?? ''), enabled: isMissing });
  const comment = isMissing ? named.data : undefined;
  const parentId = comment?.replyTo;
  const parent = useQuery({
    ...commentQuery(postId, parentId ?? ''),
    enabled: typeof parentId === 'string' && !find(parentId),
  });
  // The comment of another post is not shown here.
  if (isUnknown(named.error) || (comment && comment.postId !== postId)) return { isGone: true };
  if (!comment) return { thread: find(linked), isGone: false };
  if (!comment.replyTo) return { thread: comment, isGone: false };
  return { thread: find(comment.replyTo) ?? parent.data, reply: comment, isGone: false };
}
