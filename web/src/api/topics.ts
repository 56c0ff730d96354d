// Topics: the followed and the trending ones, and the posts with a topic.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, read, readPage } from './client';
import { whileDegraded } from './degraded';
import { pagesOf } from './queries';
import type { Topics } from './types';

/** The followed topics of the member, and the trending ones. */
export const topicsQuery = queryOptions({
  queryKey: ['/api/topics'],
  queryFn: () => read(api.GET('/api/topics')),
  // The trend changes without an event.
  staleTime: 60_000,
});

/** The posts with a topic, newest first. Its key starts with the key of posts: a changed post is replaced here too. */
export const topicPostsQuery = (topic: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/posts', { topic }],
    ...pagesOf(() => readPage(api.GET('/api/topics/{topic}/posts', { params: { path: { topic } } }))),
    staleTime: whileDegraded.staleTime,
  });

/** Follows or unfollows the topic in the cache. */
export function updateFollowed(queryClient: QueryClient, topic: string, follow: boolean): void {
  queryClient.setQueryData<Topics>(topicsQuery.queryKey, (topics) => {
    if (!topics) return topics;
    const others = topics.followed.filter((one) => one !== topic);
    return { ...topics, followed: follow ? [...others, topic].sort() : others };
  });
}
