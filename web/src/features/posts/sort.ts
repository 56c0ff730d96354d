// The order of the posts on screen (specification, section 4, Feed sort).
import type { FeedSort, Post } from '@/api/types';

export const feedSorts = ['relevant', 'recent', 'top'] as const satisfies readonly FeedSort[];

const newestFirst = (a: Post, b: Post) => Date.parse(b.createdAt) - Date.parse(a.createdAt);

const orders: Record<FeedSort, ((a: Post, b: Post) => number) | null> = {
  // As served.
  relevant: null,
  recent: newestFirst,
  top: (a, b) => b.likeCount - a.likeCount || newestFirst(a, b),
};

/** Sorts the posts; equal posts keep the order of the server. */
export function sorted(posts: Post[], sort: FeedSort): Post[] {
  const order = orders[sort];
  return order ? posts.toSorted(order) : posts;
}
