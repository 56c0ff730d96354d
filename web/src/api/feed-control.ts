// The controls of a member's feeds: followed members, hidden posts, mutes, and the reasons for a post.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, read, readPage } from './client';
import { whileDegraded } from './degraded';
import { pagesOf } from './queries';

/** Whether the member follows another. An error counts as no. */
export const followQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['/api/follows', 'one', memberId],
    queryFn: () => read(api.GET('/api/follows/{memberId}', { params: { path: { memberId } } })),
  });

/** The members that the member follows, newest first. Refetched on every visit. */
export const followsQuery = infiniteQueryOptions({
  queryKey: ['/api/follows', 'list'],
  ...pagesOf(() => readPage(api.GET('/api/follows'))),
  ...whileDegraded,
});

/** All mutes that have not ended, newest first. */
export const mutesQuery = queryOptions({
  queryKey: ['/api/mutes'],
  queryFn: () => read(api.GET('/api/mutes')),
  // They end by themselves.
  staleTime: 60_000,
  retryOnMount: true,
});

/** The hidden posts, last hidden first. */
export const hiddenPostsQuery = infiniteQueryOptions({
  queryKey: ['/api/hidden-posts'],
  ...pagesOf(() => readPage(api.GET('/api/hidden-posts'))),
  ...whileDegraded,
});

/** The reasons for which the feeds contain a post. They change with every relation, so each opening asks again. */
export const reasonsQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/post-reasons', id],
    queryFn: () => read(api.GET('/api/posts/{id}/reasons', { params: { path: { id } } })),
    staleTime: 0,
    gcTime: 0,
  });

/** Refetches the feeds after a follow or mute: the lists that are not on screen on their next use. */
export function feedsChanged(queryClient: QueryClient): Promise<unknown> {
  return queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
}
