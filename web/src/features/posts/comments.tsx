// The comments of a post: the newest are part of the post, earlier ones load on demand.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { commentsQuery } from '@/api/queries';
import type { Post } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { CommentRow } from './comment-row';

export function Comments({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const [earlier, setEarlier] = useState(false);
  const { data, isError, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...commentsQuery(post.id),
    enabled: earlier,
  });
  // A page is oldest first and the next page is older: the last fetched page is at the top.
  const shown = data ? data.pages.toReversed().flatMap(({ items }) => items) : post.comments;
  const more = data ? hasNextPage : post.commentCount > post.comments.length;

  return (
    <>
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
        <p role="alert" className="text-caption text-destructive-text">
          {t('earlierFailed')}
        </p>
      )}
      {shown.length > 0 && (
        <ul className="space-y-3">
          {shown.map((comment) => (
            <CommentRow key={comment.id} comment={comment} post={post} />
          ))}
        </ul>
      )}
    </>
  );
}
