// The lists of owners and moderators of a community, and the cache updates of what they do.
import type { QueryClient } from '@tanstack/react-query';
import { manageKey } from './communities';
import { communityQuery } from './queries';
import { pages } from './query';
import type { CommunityReason } from './schema.gen';

/** In the order of the choices. */
export const communityReasons = [
  'rules',
  'off_topic',
  'spam',
  'harassment',
  'other',
] as const satisfies CommunityReason[];

/**
 * Options of a list of the tab Manage. Other moderators change these lists, and live events tell of requests and invitations
 * only: opening the tab refetches them.
 */
const managed = (id: string, list: string) => ({ queryKey: [...manageKey(id), list], staleTime: 0 });

/** The banned members, newest ban first. */
export const communityBansQuery = (id: string) =>
  pages('/api/communities/{id}/bans', { path: { id } }, managed(id, 'bans'));

/** The requests to join, oldest first. */
export const communityRequestsQuery = (id: string) =>
  pages('/api/communities/{id}/requests', { path: { id } }, managed(id, 'requests'));

/** The invitations that wait for an answer, newest first. */
export const communityInvitationsQuery = (id: string) =>
  pages('/api/communities/{id}/invitations', { path: { id } }, managed(id, 'invitations'));

/** The actions of owners and moderators, newest first. */
export const communityLogQuery = (id: string) =>
  pages('/api/communities/{id}/log', { path: { id } }, managed(id, 'log'));

/** Refetches the community, its members, bans and log after an action. */
export function communityModerated(queryClient: QueryClient, id: string): Promise<unknown> {
  return queryClient.invalidateQueries({ queryKey: communityQuery(id).queryKey });
}

/** Refetches the log after an action that changes no other list of the tab Manage. */
export function communityLogChanged(queryClient: QueryClient, id: string): Promise<unknown> {
  return queryClient.invalidateQueries({ queryKey: communityLogQuery(id).queryKey });
}
