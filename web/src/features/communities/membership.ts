// What the client knows of a community changes: its page, the lists it stands in, and the posts one may see.
import type { QueryClient } from '@tanstack/react-query';
import { mapItems } from '@/api/pages';
import { communitiesQuery, communityMembersQuery, communityQuery, postsQuery } from '@/api/queries';
import { foundKey } from '@/api/search';
import type { Community, CommunityDetails, CommunityMember } from '@/api/types';

/** Marks that a membership of this community is being changed. */
export const membershipKey = (id: string) => ['membership', id];

/** The same change wherever the community is shown. */
export function showCommunity(queryClient: QueryClient, id: string, change: Partial<CommunityDetails>): void {
  const shown = (item: Community) => (item.id === id ? { ...item, ...change } : item);
  queryClient.setQueryData(communityQuery(id).queryKey, (page) => page && { ...page, ...change });
  queryClient.setQueryData(communitiesQuery.queryKey, (list) => mapItems(list, shown));
  queryClient.setQueriesData<Parameters<typeof mapItems<Community>>[0]>(
    { queryKey: foundKey('communities') },
    (list) => mapItems(list, shown),
  );
}

/** As the signed-in member would stand after joining or leaving; what the server says comes next. */
export function standingAfter({ memberCount }: Community, joined: boolean): Partial<Community> {
  return { role: joined ? 'member' : null, memberCount: Math.max(0, memberCount + (joined ? 1 : -1)) };
}

/**
 * The member has joined or left. Lists on screen keep their order under the finger, and are fetched anew when they are
 * next looked at; so are the posts, which the feed lets through or holds back some moments later.
 */
export function membershipChanged(queryClient: QueryClient, community: CommunityDetails): void {
  const { id } = community;
  showCommunity(queryClient, id, community);
  void queryClient.invalidateQueries({ queryKey: communitiesQuery.queryKey, refetchType: 'none' });
  void queryClient.invalidateQueries(communityMembersQuery(id));
  queryClient.removeQueries({ queryKey: postsQuery({ communityId: id }).queryKey });
  void queryClient.invalidateQueries({ queryKey: ['/api/posts'], refetchType: 'none' });
}

/** A community was founded or says something else of itself: its page is known, the list is fetched anew. */
export function communityWritten(queryClient: QueryClient, community: CommunityDetails): void {
  queryClient.setQueryData(communityQuery(community.id).queryKey, community);
  void queryClient.invalidateQueries({ queryKey: communitiesQuery.queryKey });
  // Posts carry its name.
  void queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
}

/** The role of a member has changed; the row keeps its place. */
export function showRole(queryClient: QueryClient, id: string, changed: CommunityMember, me: string): void {
  queryClient.setQueryData(communityMembersQuery(id).queryKey, (list) =>
    mapItems(list, (member) => (member.user.id === changed.user.id ? changed : member)),
  );
  if (changed.user.id === me) showCommunity(queryClient, id, { role: changed.role });
}
