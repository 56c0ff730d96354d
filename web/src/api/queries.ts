// One `queryOptions` per resource, shared by loaders and components.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, followPage, type Page, read, readPage } from './client';
import { refetchedWhile, whileDegraded } from './degraded';
import { membershipRetry } from './membership-retry';
import { retryInterval, retryIntervalWithData } from './refetch-policy';
import type { FeedKind, FeedSort, JobFilters, ProfileView, ResourceType, Status } from './types';

/** A paginated list: the first page from its call, each further page from the `Link` header. */
export const pagesOf = <Item>(first: () => Promise<Page<Item>>) => ({
  queryFn: ({ pageParam }: { pageParam: string | null }) =>
    pageParam ? followPage<Item>(pageParam) : first(),
  initialPageParam: null as string | null,
  getNextPageParam: (page: Page<Item>) => page.next,
});

export interface PostFilter {
  sort?: FeedSort;
  feed?: FeedKind;
  userId?: string;
  communityId?: string;
}

/** Posts, page by page; `queryClient.invalidateQueries({ queryKey: ['/api/posts'] })` refreshes every list of posts. */
export const postsQuery = (filter: PostFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ['/api/posts', filter],
    ...pagesOf(() => readPage(api.GET('/api/posts', { params: { query: filter } }))),
    // A list never changes by itself: missing authors appear on the next visit.
    staleTime: whileDegraded.staleTime,
    ...(filter.communityId && membershipRetry),
  });

export const postQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/posts', 'one', id],
    queryFn: () => read(api.GET('/api/posts/{id}', { params: { path: { id } } })),
  });

/** The sessions of the member. */
export const sessionsQuery = queryOptions({
  queryKey: ['/api/auth/sessions'],
  queryFn: () => read(api.GET('/api/auth/sessions')),
});

/** The browsers that may reset the member's password without another proof, with and without a session. */
export const trustedBrowsersQuery = queryOptions({
  queryKey: ['/api/auth/trusted-browsers'],
  queryFn: () => read(api.GET('/api/auth/trusted-browsers')),
});

/** The number of unused recovery codes. */
export const recoveryCodesQuery = queryOptions({
  queryKey: ['/api/auth/recovery-codes'],
  queryFn: () => read(api.GET('/api/auth/recovery-codes')),
});

/** Communities: the member's own first, then the others, both by size. `total` counts all of them. */
export const communitiesQuery = infiniteQueryOptions({
  queryKey: ['/api/communities', 'list'],
  ...pagesOf(() => readPage(api.GET('/api/communities'))),
  ...whileDegraded,
});

export const communityQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/communities', 'one', id],
    queryFn: () => read(api.GET('/api/communities/{id}', { params: { path: { id } } })),
  });

/** The invitations of the member to communities, newest first. */
export const ownInvitationsQuery = infiniteQueryOptions({
  queryKey: ['/api/communities', 'invitations'],
  ...pagesOf(() => readPage(api.GET('/api/communities/invitations'))),
});

/** The members of a community, owners first. */
export const communityMembersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/communities', 'one', id, 'members'],
    ...pagesOf(() => readPage(api.GET('/api/communities/{id}/members', { params: { path: { id } } }))),
    ...whileDegraded,
  });

/** Events that have not ended, earliest first. */
export const eventsQuery = infiniteQueryOptions({
  queryKey: ['/api/events', 'list'],
  ...pagesOf(() => readPage(api.GET('/api/events'))),
  ...whileDegraded,
});

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/events', 'one', id],
    queryFn: () => read(api.GET('/api/events/{id}', { params: { path: { id } } })),
  });

/** The attendees of an event, in the order of their acceptance. */
export const attendeesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/events', 'one', id, 'attendees'],
    ...pagesOf(() => readPage(api.GET('/api/events/{id}/attendees', { params: { path: { id } } }))),
    ...whileDegraded,
  });

/** Law school resources, newest first, of one kind or all. */
export const resourcesQuery = (type?: ResourceType) =>
  infiniteQueryOptions({
    queryKey: ['/api/resources', 'list', { type }],
    ...pagesOf(() => readPage(api.GET('/api/resources', { params: { query: { type } } }))),
    ...whileDegraded,
  });

export const resourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/resources', 'one', id],
    queryFn: () => read(api.GET('/api/resources/{id}', { params: { path: { id } } })),
  });

/** `degraded`: a service did not respond, so `stats` are missing because of a failure. */
type FetchedProfile = ProfileView & { degraded?: boolean };

export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', id, 'profile'],
    queryFn: async (): Promise<FetchedProfile> => {
      const call = api.GET('/api/users/{id}/profile', { params: { path: { id } } });
      const [{ response }, view] = await Promise.all([call, read(call)]);
      return response.headers.has('X-Degraded') ? { ...view, degraded: true } : view;
    },
    ...whileDegraded,
    // A profile that was hidden from the member may be visible again.
    retryOnMount: true,
  });

/** The privacy settings of the member. */
export const privacySettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', id, 'privacy'],
    queryFn: () => read(api.GET('/api/users/{id}/privacy', { params: { path: { id } } })),
  });

/** The activity of a member, newest first. Its key starts with the key of posts: a changed post invalidates it. */
export const activityQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/posts', 'activity', userId],
    ...pagesOf(() => readPage(api.GET('/api/users/{id}/activity', { params: { path: { id: userId } } }))),
  });

/** The members who endorsed a skill, newest first. */
export const endorsementsQuery = (userId: string, skill: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/users', userId, 'endorsements', skill],
    ...pagesOf(() =>
      readPage(
        api.GET('/api/users/{id}/endorsements', { params: { path: { id: userId }, query: { skill } } }),
      ),
    ),
    ...whileDegraded,
  });

/** At most twenty, so there is one page. */
export const suggestionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', id, 'suggestions'],
    queryFn: () => readPage(api.GET('/api/users/{id}/suggestions', { params: { path: { id } } })),
    ...whileDegraded,
  });

/** The connections of the member, newest first. `total` counts all of them. */
export const connectionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/users', id, 'connections'],
    ...pagesOf(() => readPage(api.GET('/api/users/{id}/connections', { params: { path: { id } } }))),
    ...whileDegraded,
  });

/** Pending requests to the member. `total` counts all of them. */
export const pendingRequestsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/connections', { recipientId: id, status: 'pending' }],
    ...pagesOf(() =>
      readPage(api.GET('/api/connections', { params: { query: { recipientId: id, status: 'pending' } } })),
    ),
    ...whileDegraded,
  });

/** The members blocked by the signed-in member, newest first. */
export const blocksQuery = infiniteQueryOptions({
  queryKey: ['/api/blocks'],
  ...pagesOf(() => readPage(api.GET('/api/blocks'))),
  ...whileDegraded,
});

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
export const jobsQuery = (filters: JobFilters) =>
  infiniteQueryOptions({
    queryKey: ['/api/jobs', 'list', filters],
    ...pagesOf(() => readPage(api.GET('/api/jobs', { params: { query: filters } }))),
  });

/** A posting with its full description, open or closed. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/jobs', 'one', id],
    queryFn: () => read(api.GET('/api/jobs/{id}', { params: { path: { id } } })),
  });

export const jobStatsQuery = queryOptions({
  queryKey: ['/api/jobs/stats/overview'],
  queryFn: () => read(api.GET('/api/jobs/stats/overview')),
});

/** The applications of the member, newest first. */
export const applicationsQuery = infiniteQueryOptions({
  queryKey: ['/api/jobs/applications', 'list'],
  ...pagesOf(() => readPage(api.GET('/api/jobs/applications/my'))),
});

/** An application with its history and the posting at the time. */
export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/jobs/applications', 'one', id],
    queryFn: () => read(api.GET('/api/jobs/applications/{id}', { params: { path: { id } } })),
    // A failed fetch may succeed when the dialog is opened again.
    retryOnMount: true,
  });

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
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['/api/notifications'],
  ...pagesOf(() => readPage(api.GET('/api/notifications'))),
  staleTime: whileDegraded.staleTime,
  refetchInterval: (query) => retryIntervalWithData(query) || whileDegraded.refetchInterval(query),
});

/** The enabled kinds of notification. */
export const notificationSettingsQuery = queryOptions({
  queryKey: ['/api/notifications/settings'],
  queryFn: () => read(api.GET('/api/notifications/settings')),
});

/** The key to subscribe browsers with, and the subscribed ones. */
export const pushQuery = queryOptions({
  queryKey: ['/api/push'],
  queryFn: () => read(api.GET('/api/push')),
});

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

export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/news', 'one', id],
    queryFn: () => read(api.GET('/api/news/{id}', { params: { path: { id } } })),
  });

export const newsSourcesQuery = queryOptions({
  queryKey: ['/api/news/sources/list'],
  queryFn: () => read(api.GET('/api/news/sources/list')),
});

/** The list of an unavailable service is null. */
const lacksList = (data: unknown) => {
  const status = data as Status | undefined;
  return status !== undefined && (status.jobs === null || status.news === null);
};

/** The status of the sources of jobs and news. Every visit refetches it. */
export const statusQuery = queryOptions({
  queryKey: ['/api/status'],
  queryFn: () => read(api.GET('/api/status')),
  ...refetchedWhile(lacksList),
  staleTime: 0,
  retryOnMount: true,
});
