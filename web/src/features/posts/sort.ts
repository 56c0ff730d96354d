// The order of the posts on screen (specification, section 4, Feed sort), and the order that the member chose on this device.
import { useMemo } from 'react';
import type { FeedSort, Post } from '@/api/schema.gen';
import { readDevice, writeDevice } from '@/session/device-store';

export const feedSorts = ['relevant', 'recent', 'top'] as const satisfies readonly FeedSort[];

/** Also read by src/app/preload.js. */
const storageKey = (memberId: string) => `portia-feed-sort:${memberId}`;

export function storedSort(memberId: string): FeedSort {
  const stored = readDevice(storageKey(memberId));
  return feedSorts.find((sort) => sort === stored) ?? 'relevant';
}

export const storeSort = (memberId: string, sort: FeedSort): void => writeDevice(storageKey(memberId), sort);

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

/**
 * Returns a function that sorts the posts by the likes that each had when it appeared: a like of another member changes the
 * counter, and the list does not move. Neither does the server's order, as long as no new post is among those shown.
 */
export function useStableOrder(sort: FeedSort): (posts: Post[]) => Post[] {
  return useMemo(() => {
    const first = new Map<string, number>();
    let shown: string[] = [];
    /** The server ranks a post anew after a comment of the member; other posts that appear take their places as served. */
    const asServed = (posts: Post[]) => {
      const kept = shown.filter((id) => posts.some((post) => post.id === id));
      const head = posts.slice(0, kept.length);
      if (head.every(({ id }) => kept.includes(id)))
        head.sort((a, b) => kept.indexOf(a.id) - kept.indexOf(b.id));
      const all = [...head, ...posts.slice(kept.length)];
      shown = all.map(({ id }) => id);
      return all;
    };
    const asAppeared = (post: Post) => {
      const likeCount = first.get(post.id) ?? post.likeCount;
      first.set(post.id, likeCount);
      return { ...post, likeCount };
    };
    return (posts) => {
      if (sort === 'relevant') return asServed(posts);
      const now = new Map(posts.map((post) => [post.id, post]));
      return sorted(posts.map(asAppeared), sort).map((post) => now.get(post.id) ?? post);
    };
  }, [sort]);
}
