// The feed of the home screen that the member chose on this device. 'all' has the posts of everyone, in the chosen order.
import type { FeedKind } from '@/api/schema.gen';
import { readDevice, writeDevice } from '@/session/device-store';

export const homeFeeds = ['all', 'following', 'school', 'community'] as const;
export type HomeFeed = (typeof homeFeeds)[number];
export type MemberFeed = Extract<FeedKind, HomeFeed>;

/** Also read by src/app/preload.js. */
const storageKey = (memberId: string) => `portia-feed:${memberId}`;

export function storedFeed(memberId: string): HomeFeed {
  const stored = readDevice(storageKey(memberId));
  return homeFeeds.find((feed) => feed === stored) ?? 'all';
}

export const storeFeed = (memberId: string, feed: HomeFeed): void =>
  writeDevice(storageKey(memberId), feed === 'all' ? null : feed);
