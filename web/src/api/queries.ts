// One `queryOptions` per resource, shared by loaders and components.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, read, readPage } from './client';
import { refetchedWhile, whileDegraded } from './degradation';
import { membershipRetry } from './membership-retry';
import { pages, query } from './query';
import { retryInterval, retryIntervalWithData } from './refetch-policy';
import type { FeedKind, FeedSort, ProfileView, paths, Status, SuggestResource } from './schema.gen';

export type JobFilters = Pick<
  NonNullable<paths['/api/jobs']['get']['parameters']['query']>,
  'search' | 'location' | 'practiceArea' | 'experienceLevel' | 'employmentType'
>;
export type ResourceType = SuggestResource['type'];

export interface PostFilter {
  sort?: FeedSort;
  feed?: FeedKind;
  userId?: string;
  communityId?: string;
}

/** Posts, page by page; `queryClient.invalidateQueries({ queryKey: ['/api/posts'] })` refreshes every list of posts. */
export const postsQuery = (filter: PostFilter = {}) =>
  pages(
    '/api/posts',
    { query: filter },
    {
      queryKey: ['/api/posts', filter],
      // A list never changes by itself: missing authors appear on the next visit.
      staleTime: whileDegraded.staleTime,
      ...(filter.communityId && membershipRetry),
    },
  );

export const postQuery = (id: string) => query('/api/posts/{id}', { path: { id } });
export const sessionsQuery = query('/api/auth/sessions');

/** The browsers that may reset the member's password without another proof, with and without a session. */
export const trustedBrowsersQuery = query('/api/auth/trusted-browsers');

/** The number of unused recovery codes. */
export const recoveryCodesQuery = query('/api/auth/recovery-codes');

/** Communities: the member's own first, then the others, both by size. `total` counts all of them. */
export const communitiesQuery = pages('/api/communities', {}, whileDegraded);

export const communityQuery = (id: string) => query('/api/communities/{id}', { path: { id } });

/** The invitations of the member to communities, newest first. */
export const ownInvitationsQuery = pages(
  '/api/communities/invitations',
  {},
  { queryKey: ['/api/communities', 'invitations'] },
);

/** The members of a community, owners first. */
export const communityMembersQuery = (id: string) =>
  pages('/api/communities/{id}/members', { path: { id } }, whileDegraded);

/** Events that have not ended, earliest first. */
export const eventsQuery = pages('/api/events', {}, whileDegraded);

export const eventQuery = (id: string) => query('/api/events/{id}', { path: { id } });

/** The attendees of an event, in the order of their acceptance. */
export const attendeesQuery = (id: string) =>
  pages('/api/events/{id}/attendees', { path: { id } }, whileDegraded);

/** Law school resources, newest first, of one kind or all. */
export const resourcesQuery = (type?: ResourceType) =>
  pages('/api/resources', { query: { type } }, whileDegraded);

export const resourceQuery = (id: string) => query('/api/resources/{id}', { path: { id } });

/** `degraded`: a service did not respond, so `stats` are missing because of a failure. */
type FetchedProfile = ProfileView & { degraded?: boolean };

export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', 'one', id, 'profile'],
    queryFn: async (): Promise<FetchedProfile> => {
      const call = api.GET('/api/users/{id}/profile', { params: { path: { id } } });
      const [{ response }, view] = await Promise.all([call, read(call)]);
      return response.headers.has('X-Degraded') ? { ...view, degraded: true } : view;
    },
    ...whileDegraded,
    // A profile that was hidden from the member may be visible again.
    retryOnMount: true,
  });
export const privacySettingsQuery = (id: string) => query('/api/users/{id}/privacy', { path: { id } });

/** The activity of a member, newest first. Its key starts with the key of posts: a changed post invalidates it. */
export const activityQuery = (userId: string) =>
  pages(
    '/api/users/{id}/activity',
    { path: { id: userId } },
    { queryKey: ['/api/posts', 'activity', userId] },
  );

/** The members who endorsed a skill, newest first. */
export const endorsementsQuery = (userId: string, skill: string) =>
  pages('/api/users/{id}/endorsements', { path: { id: userId }, query: { skill } }, whileDegraded);

/** At most twenty, so there is one page. */
export const suggestionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', 'one', id, 'suggestions'],
    queryFn: () => readPage(api.GET('/api/users/{id}/suggestions', { params: { path: { id } } })),
    ...whileDegraded,
  });

/** The connections of the member, newest first. `total` counts all of them. */
export const connectionsQuery = (id: string) =>
  pages('/api/users/{id}/connections', { path: { id } }, whileDegraded);

/** Pending requests to the member. `total` counts all of them. */
export const pendingRequestsQuery = (id: string) =>
  pages('/api/connections', { query: { recipientId: id, status: 'pending' } }, whileDegraded);

/** The members blocked by the signed-in member, newest first. */
export const blocksQuery = pages('/api/blocks', {}, whileDegraded);

/** The connection between two members in either direction; null if there is none. */
export const connectionQuery = (requesterId: string, recipientId: string) =>
  queryOptions({
    queryKey: ['/api/connections', { requesterId, recipientId }],
    queryFn: async () => {
      const found = await read(
        api.GET('/api/connections', { params: { query: { requesterId, recipientId } } }),
      );
      return found[0] ?? null;
    },
  });

/** Open postings that match, newest first. Every list and every posting has the key prefix `/api/jobs`. */
export const jobsQuery = (filters: JobFilters) => pages('/api/jobs', { query: filters });

/** A posting with its full description, open or closed. */
export const jobQuery = (id: string) => query('/api/jobs/{id}', { path: { id } });

export const jobStatsQuery = query('/api/jobs/stats/overview');

/** The applications of the member, newest first. */
export const applicationsQuery = pages(
  '/api/jobs/applications/my',
  {},
  { queryKey: ['/api/jobs/applications', 'list'] },
);

/** An application with its history and the posting at the time. */
export const applicationQuery = (id: string) =>
  query(
    '/api/jobs/applications/{id}',
    { path: { id } },
    {
      // A failed fetch may succeed when the dialog is opened again.
      retryOnMount: true,
    },
  );

/** Unread counts for the badges and the notifications button. */
export const unreadQuery = queryOptions({
  queryKey: ['/api/unread'],
  queryFn: async () => {
    const call = api.GET('/api/unread');
    const { response } = await call;
    // Without messaging the response is degraded: its zeros are not counts.
    if (response.headers.has('X-Degraded')) throw new Error('The counts are unavailable');
    return read(call);
  },
  refetchInterval: retryInterval,
});

/** The notifications of the member, newest first. */
export const notificationsQuery = pages(
  '/api/notifications',
  {},
  {
    staleTime: whileDegraded.staleTime,
    refetchInterval: (query) => retryIntervalWithData(query) || whileDegraded.refetchInterval(query),
  },
);

/** The enabled kinds of notification. */
export const notificationSettingsQuery = query('/api/notifications/settings');

/** The key to subscribe browsers with, and the subscribed ones. */
export const pushQuery = query('/api/push');

/** News pages. The specification requires three retries. */
export const newsQuery = (filter: { source?: string; search?: string }) =>
  infiniteQueryOptions({
    queryKey: ['/api/news', filter],
    queryFn: ({ pageParam }) =>
      read(api.GET('/api/news', { params: { query: { page: pageParam, ...filter } } })),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasMore ? pagination.page + 1 : null),
    retry: 3,
  });

export const articleQuery = (id: string) => query('/api/news/{id}', { path: { id } });

export const newsSourcesQuery = query('/api/news/sources/list');

/** The list of an unavailable service is null. */
const lacksList = (data: unknown) => {
  const status = data as Status | undefined;
  return status !== undefined && (status.jobs === null || status.news === null);
};

/** The status of the sources of jobs and news. Every visit refetches it. */
export const statusQuery = query(
  '/api/status',
  {},
  { ...refetchedWhile(lacksList), staleTime: 0, retryOnMount: true },
);
