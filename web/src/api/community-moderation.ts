// The lists of owners and moderators of a community, and the cache updates of what they do.
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { api, readPage } from './client';
import { manageKey } from './communities';
import { communityQuery, pagesOf } from './queries';
import type { CommunityReason } from './types';

/** In the order of the choices. */
export const communityReasons = [
  'rules',
  'off_topic',
  'spam',
  'harassment',
  'other',
] as const satisfies CommunityReason[];

/** Other moderators change these lists, and live events tell of requests and invitations only: opening the tab Manage refetches them. */
const refetchedOnOpening = { staleTime: 0 };

/** The banned members, newest ban first. */
export const communityBansQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...manageKey(id), 'bans'],
    ...refetchedOnOpening,
    ...pagesOf(() => readPage(api.GET('/api/communities/{id}/bans', { params: { path: { id } } }))),
  });

/** The requests to join, oldest first. */
export const communityRequestsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...manageKey(id), 'requests'],
    ...refetchedOnOpening,
    ...pagesOf(() => readPage(api.GET('/api/communities/{id}/requests', { params: { path: { id } } }))),
  });

/** The invitations that wait for an answer, newest first. */
export const communityInvitationsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...manageKey(id), 'invitations'],
    ...refetchedOnOpening,
    ...pagesOf(() => readPage(api.GET('/api/communities/{id}/invitations', { params: { path: { id } } }))),
  });

/** The actions of owners and moderators, newest first. */
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
