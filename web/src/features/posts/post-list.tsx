// A list of posts with its loading, error and last-page states; what an empty one says is the screen's to tell.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '@/api/error';
import { postsQuery } from '@/api/queries';
import type { FeedSort } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { PagedList } from '@/ui/paged-list';
import { PostCard } from './post-card';
import { PostSkeletons } from './post-skeleton';
import { sorted } from './sort';

interface PostListProps {
  /** In which order; the list of a member or a community is newest first and names none. */
  sort?: FeedSort;
  /** Only this member's posts. */
  userId?: string;
  /** Only the posts in this community. */
  communityId?: string;
  empty: ReactNode;
}

export function PostList({ sort, userId, communityId, empty }: PostListProps) {
  const { t } = useTranslation('posts');
  const filter = { ...(sort && { sort }), ...(userId && { userId }), ...(communityId && { communityId }) };
  const query = useInfiniteQuery(postsQuery(filter));
  const { error } = query;
  // Who is no member any more is told what to do about it.
  const refusal = error instanceof ApiError && error.status === 403 ? error.sentence : null;
  return (
    <PagedList
      query={query}
      skeleton={<PostSkeletons />}
      failed={refusal ?? t('loadFailed')}
      more={t('more')}
      inSlices
      empty={empty}
    >
      {(posts) => sorted(posts, sort ?? 'relevant').map((post) => <PostCard key={post.id} post={post} />)}
    </PagedList>
  );
}
