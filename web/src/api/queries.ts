// What the client reads, one queryOptions per resource, shared by loaders and components.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, followPage, type Page, read, readPage } from './client';
import type { Activity, Comment, Endorsement, FeedSort, JobFilters, Post } from './types';

/** Posts as served, page by page; `queryClient.invalidateQueries({ queryKey: ['/api/posts'] })` refreshes every list of them. */
export const postsQuery = (filter: { sort?: FeedSort; userId?: string } = {}) =>
  infiniteQueryOptions({
    queryKey: ['/api/posts', filter],
    queryFn: ({ pageParam }): Promise<Page<Post>> =>
      pageParam
        ? followPage<Post>(pageParam)
        : readPage(api.GET('/api/posts', { params: { query: filter } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

export const postQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/posts', 'one', id],
    queryFn: () => read(api.GET('/api/posts/{id}', { params: { path: { id } } })),
  });

/** Every comment of a post: the newest page first, each page oldest first. */
export const commentsQuery = (postId: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/posts', 'one', postId, 'comments'],
    queryFn: ({ pageParam }): Promise<Page<Comment>> =>
      pageParam
        ? followPage<Comment>(pageParam)
        : readPage(api.GET('/api/posts/{id}/comments', { params: { path: { id: postId } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** Where the member is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['/api/auth/sessions'],
  queryFn: () => read(api.GET('/api/auth/sessions')),
});

/** How many of the member's recovery codes are left. */
export const recoveryCodesQuery = queryOptions({
  queryKey: ['/api/auth/recovery-codes'],
  queryFn: () => read(api.GET('/api/auth/recovery-codes')),
});

export const communitiesQuery = queryOptions({
  queryKey: ['/api/communities'],
  queryFn: () => read(api.GET('/api/communities')),
});

export const eventsQuery = queryOptions({
  queryKey: ['/api/events'],
  queryFn: () => read(api.GET('/api/events')),
});

export const resourcesQuery = queryOptions({
  queryKey: ['/api/resources'],
  queryFn: () => read(api.GET('/api/resources')),
});

export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', id, 'profile'],
    queryFn: () => read(api.GET('/api/users/{id}/profile', { params: { path: { id } } })),
  });

/** What a member did, newest first. Its key stands below the posts': what changes a post changes somebody's activity. */
export const activityQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/posts', 'activity', userId],
    queryFn: ({ pageParam }): Promise<Page<Activity>> =>
      pageParam
        ? followPage<Activity>(pageParam)
        : readPage(api.GET('/api/users/{id}/activity', { params: { path: { id: userId } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** Who endorsed a member's skill, newest first. */
export const endorsementsQuery = (userId: string, skill: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/users', userId, 'endorsements', skill],
    queryFn: ({ pageParam }): Promise<Page<Endorsement>> =>
      pageParam
        ? followPage<Endorsement>(pageParam)
        : readPage(
            api.GET('/api/users/{id}/endorsements', { params: { path: { id: userId }, query: { skill } } }),
          ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

export const suggestionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', id, 'suggestions'],
    queryFn: () => read(api.GET('/api/users/{id}/suggestions', { params: { path: { id } } })),
  });

export const connectionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/users', id, 'connections'],
    queryFn: () => read(api.GET('/api/users/{id}/connections', { params: { path: { id } } })),
  });

export const pendingRequestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/connections', { recipientId: id, status: 'pending' }],
    queryFn: () =>
      read(api.GET('/api/connections', { params: { query: { recipientId: id, status: 'pending' } } })),
  });

/** The connection between two members, whichever of them asked; null when there is none. */
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

export const jobsQuery = (filters: JobFilters) =>
  queryOptions({
    queryKey: ['/api/jobs', filters],
    queryFn: () => read(api.GET('/api/jobs', { params: { query: filters } })),
  });

export const jobStatsQuery = queryOptions({
  queryKey: ['/api/jobs/stats/overview'],
  queryFn: () => read(api.GET('/api/jobs/stats/overview')),
});

export const applicationsQuery = queryOptions({
  queryKey: ['/api/jobs/applications/my'],
  queryFn: () => read(api.GET('/api/jobs/applications/my')),
});

export const conversationsQuery = queryOptions({
  queryKey: ['/api/conversations'],
  queryFn: () => read(api.GET('/api/conversations')),
});

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/conversations', id],
    queryFn: () => read(api.GET('/api/conversations/{id}', { params: { path: { id } } })),
  });

/** News pages; the specification retries this one read three times. */
export const newsQuery = (filter: { source?: string; search?: string }) =>
  infiniteQueryOptions({
    queryKey: ['/api/news', filter],
    queryFn: ({ pageParam }) =>
      read(api.GET('/api/news', { params: { query: { page: pageParam, ...filter } } })),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.hasMore ? pagination.page + 1 : null),
    retry: 3,
  });

export const newsSourcesQuery = queryOptions({
  queryKey: ['/api/news/sources/list'],
  queryFn: () => read(api.GET('/api/news/sources/list')),
});
