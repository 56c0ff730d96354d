// The feed of the home screen that the member chose on this device. 'all' has the posts of everyone, in the chosen order.
import type { FeedKind } from '@/api/types';

export const homeFeeds = ['all', 'following', 'school', 'community'] as const;
export type HomeFeed = (typeof homeFeeds)[number];
export type MemberFeed = Extract<FeedKind, HomeFeed>;

/** Also read by src/app/preload.js. */
const storageKey = (memberId: string) => `portia-feed:${memberId}`;

export function storedFeed(memberId: string): HomeFeed {
  try {
    const stored = localStorage.getItem(storageKey(memberId));
    return homeFeeds.find((feed) => feed === stored) ?? 'all';
  } catch {
    return 'all';
  }
}

export function storeFeed(memberId: string, feed: HomeFeed): void {
  try {
    if (feed === 'all') localStorage.removeItem(storageKey(memberId));
    else localStorage.setItem(storageKey(memberId), feed);
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the screen.
  }
}
