// The queries of moderators, and of the authors of removed content.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, read, readPage } from './client';
import { whileDegraded } from './degraded';
import { pagesOf } from './queries';
import type { ReportDetails, ReportedKind, ReportReason } from './types';

/** `queryClient.invalidateQueries({ queryKey: moderationKey })` after every decision. */
export const moderationKey = ['/api/moderation'];

export type CaseState = 'open' | 'decided';

interface ReportFilter {
  state: CaseState;
  kind?: ReportedKind;
  reason?: ReportReason;
}

export const reportsQuery = (query: ReportFilter) =>
  infiniteQueryOptions({
    queryKey: [...moderationKey, 'reports', query],
    ...pagesOf(() => readPage(api.GET('/api/moderation/reports', { params: { query } }))),
  });

/** `degraded`: messaging did not respond, so the pictures and the file of a message are missing. */
type FetchedReport = ReportDetails & { degraded?: boolean };

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: [...moderationKey, 'report', id],
    queryFn: async (): Promise<FetchedReport> => {
      const call = api.GET('/api/moderation/reports/{id}', { params: { path: { id } } });
      const [{ response }, details] = await Promise.all([call, read(call)]);
      return response.headers.has('X-Degraded') ? { ...details, degraded: true } : details;
    },
    ...whileDegraded,
  });

export const appealsQuery = (state: CaseState) =>
  infiniteQueryOptions({
    queryKey: [...moderationKey, 'appeals', state],
    ...pagesOf(() => readPage(api.GET('/api/moderation/appeals', { params: { query: { state } } }))),
  });

export const suspensionAppealsQuery = (state: CaseState) =>
  infiniteQueryOptions({
    queryKey: [...moderationKey, 'suspension appeals', state],
    ...pagesOf(() =>
      readPage(api.GET('/api/moderation/suspension-appeals', { params: { query: { state } } })),
    ),
  });

export const suspensionsQuery = infiniteQueryOptions({
  queryKey: [...moderationKey, 'suspensions'],
  ...pagesOf(() => readPage(api.GET('/api/moderation/suspensions'))),
});

export const moderationStatsQuery = queryOptions({
  queryKey: [...moderationKey, 'statistics'],
  queryFn: () => read(api.GET('/api/moderation/statistics')),
});

export const moderationLogQuery = infiniteQueryOptions({
  queryKey: [...moderationKey, 'log'],
  ...pagesOf(() => readPage(api.GET('/api/moderation/log'))),
});

/** A removal of content of the member. */
export const removalQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/appeals', id],
    queryFn: () => read(api.GET('/api/appeals/{id}', { params: { path: { id } } })),
  });
