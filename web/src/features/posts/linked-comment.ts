// The comment that the address of a post's page names, with its thread, wherever it is in the conversation.
import { useQuery } from '@tanstack/react-query';
import { commentQuery } from '@/api/comments';
import { isUnknown } from '@/api/error';
import type { Comment } from '@/api/types';

interface LinkedComment {
  /** The top-level comment: the named one, or the one that the named reply belongs to. */
  thread?: Comment;
  /** The named reply. */
  reply?: Comment;
  /** It was deleted, or the viewer may not see it. */
  isGone: boolean;
}

/** `shown` are the top-level comments on screen; undefined while they are loading. */
export function useLinkedComment(
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
