// The lists of owners and moderators of a community, and the cache updates of what they do.
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { api, readPage } from './client';
import { communitiesQuery, communityQuery, pagesOf } from './queries';
import type { CommunityReason } from './types';

/** In the order of the choices. */
export const communityReasons = [
  'rules',
  'off_topic',
  'spam',
  'harassment',
  'other',
] as const satisfies CommunityReason[];

const manageKey = (id: string) => ['/api/communities', 'one', id, 'manage'];

/** Other moderators change these lists, and no live event tells of it: opening the tab Manage refetches them. */
const refetchedOnOpening = { staleTime: 0 };

/** The banned members, newest ban first. */
export const communityBansQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...manageKey(id), 'bans'],
    ...refetchedOnOpening,
    ...pagesOf(() => readPage(api.GET('/api/communities/{id}/bans', { params: { path: { id } } }))),
  });

/** What owners and moderators did, newest first. */
export const communityLogQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...manageKey(id), 'log'],
    ...refetchedOnOpening,
    ...pagesOf(() => readPage(api.GET('/api/communities/{id}/log', { params: { path: { id } } }))),
  });

/** Refetches the community, its members, bans and log after an action. */
export function communityModerated(queryClient: QueryClient, id: string): Promise<unknown> {
  return queryClient.invalidateQueries({ queryKey: communityQuery(id).queryKey });
}

/** Refetches the log after an action that changes no other list of the tab Manage. */
export function communityLogChanged(queryClient: QueryClient, id: string): Promise<unknown> {
  return queryClient.invalidateQueries({ queryKey: communityLogQuery(id).queryKey });
}

/** Removes a dissolved community and refetches the list. */
export function communityDissolved(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: communityQuery(id).queryKey });
  void queryClient.invalidateQueries({ queryKey: communitiesQuery.queryKey });
  void queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
}
