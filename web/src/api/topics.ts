// Topics: the followed and the trending ones, and the posts with a topic.
import type { QueryClient } from '@tanstack/react-query';
import { whileDegraded } from './degradation';
import { pages, query } from './query';
import type { Topics } from './schema.gen';

/** The followed topics of the member, and the trending ones. */
export const topicsQuery = query(
  '/api/topics',
  {},
  {
    // The trend changes without an event.
    staleTime: 60_000,
  },
);

/** The posts with a topic, newest first. Its key starts with the key of posts: a changed post is replaced here too. */
export const topicPostsQuery = (topic: string) =>
  pages(
    '/api/topics/{topic}/posts',
    { path: { topic } },
    { queryKey: ['/api/posts', { topic }], staleTime: whileDegraded.staleTime },
  );

/** Follows or unfollows the topic in the cache. */
export function updateFollowed(queryClient: QueryClient, topic: string, follow: boolean): void {
  queryClient.setQueryData<Topics>(topicsQuery.queryKey, (topics) => {
    if (!topics) return topics;
    const others = topics.followed.filter((one) => one !== topic);
    return { ...topics, followed: follow ? [...others, topic].sort() : others };
  });
}
