// The comments under a post: the newest ones that came with it, the earlier ones on demand.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { commentsQuery } from '@/api/queries';
import type { Comment, Post } from '@/api/types';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';

export function Comments({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const [earlier, setEarlier] = useState(false);
  const { data, isError, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...commentsQuery(post.id),
    enabled: earlier,
  });
  // A page is oldest first and the next page is older: the last page fetched stands at the top.
  const shown = data ? data.pages.toReversed().flatMap(({ items }) => items) : post.comments;
  const more = data ? hasNextPage : post.commentCount > post.comments.length;

  return (
    <>
      {more && (
        <button
          type="button"
          className="link text-caption font-medium disabled:opacity-50"
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
            <CommentRow key={comment.id} comment={comment} />
          ))}
        </ul>
      )}
    </>
  );
}

function CommentRow({ comment: { user, content } }: { comment: Comment }) {
  return (
    <li className="flex gap-3">
      <Avatar user={user} size={32} decorative />
      <div className="min-w-0 flex-1 rounded-lg rounded-tl-xs bg-muted px-3.5 py-2.5">
        <Link to={paths.profile(user.id)} className="text-caption font-semibold hover:underline">
          {user.fullName}
        </Link>
        <p className="mt-0.5 whitespace-pre-line text-ui wrap-anywhere">{content}</p>
      </div>
    </li>
  );
}
