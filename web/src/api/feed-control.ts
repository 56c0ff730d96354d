// The controls of a member's feeds: followed members, hidden posts, mutes, and the reasons for a post.
import type { QueryClient } from '@tanstack/react-query';
import { whileDegraded } from './degradation';
import { pages, query } from './query';

/** Whether the member follows another. An error counts as no. */
export const followQuery = (memberId: string) => query('/api/follows/{memberId}', { path: { memberId } });

/** The members that the member follows, newest first. Refetched on every visit. */
export const followsQuery = pages('/api/follows', {}, whileDegraded);

/** All mutes that have not ended, newest first. */
export const mutesQuery = query(
  '/api/mutes',
  {},
  {
    // They end by themselves.
    staleTime: 60_000,
    retryOnMount: true,
  },
);

/** The hidden posts, last hidden first. */
export const hiddenPostsQuery = pages('/api/hidden-posts', {}, whileDegraded);

/** The reasons for which the feeds contain a post. They change with every relation, so each opening asks again. */
export const reasonsQuery = (id: string) =>
  query(
    '/api/posts/{id}/reasons',
    { path: { id } },
    { queryKey: ['/api/post-reasons', id], staleTime: 0, gcTime: 0 },
  );

/** Refetches the feeds after a follow or mute: the lists that are not on screen on their next use. */
export function feedsChanged(queryClient: QueryClient): Promise<unknown> {
  return queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
}
