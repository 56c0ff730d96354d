// Cache updates of a community: its page, the lists that contain it, and the visible posts.
import type { QueryClient } from '@tanstack/react-query';
import { api, read } from './client';
import { isUnknown } from './error';
import { itemsOf, mapItems } from './pages';
import {
  communitiesQuery,
  communityMembersQuery,
  communityQuery,
  ownInvitationsQuery,
  postsQuery,
  profileQuery,
} from './queries';
import { mutationsOf, reread } from './reread';
import type { Community, CommunityDetails, CommunityMember } from './schema.gen';
import { foundKey } from './search';
import { sessionQuery } from './session';
export const membershipKey = (id: string) => mutationsOf('community', id);

/** The lists of the tab Manage (community-moderation.ts). */
export const manageKey = (id: string) => ['/api/communities', 'one', id, 'manage'];

/** Applies a change wherever the community is cached. */
export function updateCommunity(
  queryClient: QueryClient,
  id: string,
  change: Partial<CommunityDetails>,
): void {
  const shown = (item: Community) => (item.id === id ? { ...item, ...change } : item);
  queryClient.setQueryData(communityQuery(id).queryKey, (page) => page && { ...page, ...change });
  queryClient.setQueryData(communitiesQuery.queryKey, (list) => mapItems(list, shown));
  queryClient.setQueriesData<Parameters<typeof mapItems<Community>>[0]>(
    { queryKey: foundKey('communities') },
    (list) => mapItems(list, shown),
  );
}

/**
 * The expected state until the server responds: after joining, or asking to join, and after leaving, withdrawing the request
 * or declining the invitation.
 */
export function expectedMembership(community: Community, joined: boolean): Partial<Community> {
  const { role, memberCount, joining, standing } = community;
  if (joined && joining === 'request' && standing !== 'invited') return { standing: 'requested' };
  if (!joined && !role) return { standing: null };
  return {
    role: joined ? 'member' : null,
    memberCount: Math.max(0, memberCount + (joined ? 1 : -1)),
    standing: null,
  };
}

/** Removes a community that was dissolved, or that the member left and does not see any more. */
export function communityGone(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: communityQuery(id).queryKey });
  void queryClient.invalidateQueries({ queryKey: communitiesQuery.queryKey });
  void queryClient.invalidateQueries({ queryKey: ownInvitationsQuery.queryKey });
  void queryClient.invalidateQueries({ queryKey: foundKey('communities') });
  void queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
}

/**
 * Updates the cache after joining or leaving. Active lists keep their order and are refetched on the next visit. So are
 * the posts: feed learns of the membership some moments later.
 */
export function membershipChanged(queryClient: QueryClient, community: CommunityDetails): void {
  const { id } = community;
  updateCommunity(queryClient, id, community);
  void queryClient.invalidateQueries({ queryKey: communitiesQuery.queryKey, refetchType: 'none' });
  void queryClient.invalidateQueries({ queryKey: ownInvitationsQuery.queryKey });
  void queryClient.invalidateQueries(communityMembersQuery(id));
  queryClient.removeQueries({ queryKey: postsQuery({ communityId: id }).queryKey });
  void queryClient.invalidateQueries({ queryKey: ['/api/posts'], refetchType: 'none' });
  checklistChanged(queryClient);
}

/** The checklist in the own profile counts communities: it is read again when it is shown next. */
function checklistChanged(queryClient: QueryClient): void {
  const me = queryClient.getQueryData(sessionQuery.queryKey);
  if (me) void queryClient.invalidateQueries({ ...profileQuery(me.id), refetchType: 'none' });
}

/** Caches a created or updated community and refetches the list. */
export function communitySaved(queryClient: QueryClient, community: CommunityDetails): void {
  queryClient.setQueryData(communityQuery(community.id).queryKey, community);
  void queryClient.invalidateQueries({ queryKey: communitiesQuery.queryKey });
  // Posts contain the name of the community.
  void queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
  checklistChanged(queryClient);
}

/** Updates the role of a member; the row keeps its position. */
export function updateRole(queryClient: QueryClient, id: string, changed: CommunityMember, me: string): void {
  queryClient.setQueryData(communityMembersQuery(id).queryKey, (list) =>
    mapItems(list, (member) => (member.user.id === changed.user.id ? changed : member)),
  );
  if (changed.user.id === me) updateCommunity(queryClient, id, { role: changed.role });
}

/** Reads a community again after a membership of it changed, and updates it in place. */
export async function rereadCommunity(queryClient: QueryClient, id: string): Promise<void> {
  const isInList = itemsOf<Community>(queryClient.getQueryData(communitiesQuery.queryKey)).some(
    (one) => one.id === id,
  );
  const before = queryClient.getQueryData(communityQuery(id).queryKey);
  if (!isInList && !before) return;
  let fresh: CommunityDetails;
  try {
    fresh = await reread(queryClient, membershipKey(id), () =>
      read(api.GET('/api/communities/{id}', { params: { path: { id } } })),
    );
  } catch (error) {
    // A private community that the member left, on another device or removed by a moderator.
    if (isUnknown(error)) return communityGone(queryClient, id);
    throw error;
  }
  // On another device: the posts are visible from now on, or no longer.
  if (before && before.role !== fresh.role) return membershipChanged(queryClient, fresh);
  updateCommunity(queryClient, id, fresh);
  await queryClient.invalidateQueries(communityMembersQuery(id));
}
