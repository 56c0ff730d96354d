// A list of posts with its loading, error and last-page states; the screen provides the empty state.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { ApiError } from '@/api/error';
import { hideNoticesQuery } from '@/api/hide-notices';
import { listOf } from '@/api/new-posts';
import { postsQuery } from '@/api/queries';
import type { FeedSort } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { lazy } from '@/ui/lazy';
import { PagedList } from '@/ui/paged-list';
import type { MemberFeed } from './home-feed';
import { NewPosts } from './new-posts';
import { PostCard } from './post-card';
import { PostSkeletons } from './post-skeleton';
import { useStableOrder } from './sort';

const HideNotice = lazy(async () => (await import('@/features/feed-control/hide-notice')).HideNotice);

interface PostListProps {
  /** The order; the list of a member or a community is newest first and has none. */
  sort?: FeedSort;
  /** A feed of the member. */
  feed?: MemberFeed;
  /** Only posts of this member. */
  userId?: string;
  /** Only posts in this community. */
  communityId?: string;
  empty: ReactNode;
}

export function PostList({ sort, feed, userId, communityId, empty }: PostListProps) {
  const { t } = useTranslation('posts');
  const { data: hideNotices = {} } = useQuery(hideNoticesQuery);
  const filter = {
    ...(sort && { sort }),
    ...(feed && { feed }),
    ...(userId && { userId }),
    ...(communityId && { communityId }),
  };
  const options = postsQuery(filter);
  const newPostsIn = listOf(filter);
  const query = useInfiniteQuery(options);
  const { error } = query;
  // A former member of the community sees the server's instructions.
  const refusal = error instanceof ApiError && error.status === 403 ? error.sentence : null;
  const list = useRef<HTMLDivElement>(null);
  const order = useStableOrder(sort ?? 'relevant');
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {newPostsIn && <NewPosts key={newPostsIn} list={newPostsIn} query={options} focus={list} />}
      <PagedList
        query={query}
        skeleton={<PostSkeletons />}
        failed={refusal ?? t('loadFailed')}
        more={t('more')}
        inSlices
        empty={empty}
      >
        {(posts) =>
          order(posts).map((post) =>
            // Other lists show hidden posts, as the server does.
            post.id in hideNotices && !userId && !communityId ? (
              <HideNotice key={post.id} post={post} />
            ) : (
              <PostCard key={post.id} post={post} />
            ),
          )
        }
      </PagedList>
    </div>
  );
}
