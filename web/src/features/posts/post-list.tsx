// A list of posts with its loading, error and last-page states; what an empty one says is the screen's to tell.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { postsQuery } from '@/api/queries';
import type { FeedSort } from '@/api/types';
import { Button } from '@/ui/button';
import { ErrorPanel } from '@/ui/error-panel';
import { PostCard } from './post-card';
import { PostSkeletons } from './post-skeleton';
import { sorted } from './sort';

interface PostListProps {
  /** In which order; a member's own list is newest first and names none. */
  sort?: FeedSort;
  /** Only this member's posts. */
  userId?: string;
  empty: ReactNode;
}

export function PostList({ sort, userId, empty }: PostListProps) {
  const { t } = useTranslation('posts');
  const query = useInfiniteQuery(postsQuery({ ...(sort && { sort }), ...(userId && { userId }) }));

  if (query.isPending) return <PostSkeletons />;
  // A page that fails later leaves the posts that are there.
  if (!query.data) return <ErrorPanel>{t('loadFailed')}</ErrorPanel>;
  const posts = query.data.pages.flatMap(({ items }) => items);
  if (posts.length === 0) return empty;
  return (
    <div className="space-y-4">
      {sorted(posts, sort ?? 'relevant').map((post) => (
        <PostCard key={post.id} post={post} />
      ))}
      {query.isError && <ErrorPanel>{t('loadFailed')}</ErrorPanel>}
      {query.hasNextPage && (
        <Button
          variant="outline"
          className="w-full"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </div>
  );
}
