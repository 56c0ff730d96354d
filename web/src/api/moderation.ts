// The queries of moderators, and of the authors of removed content.
import { queryOptions } from '@tanstack/react-query';
import { api, read } from './client';
import { whileDegraded } from './degradation';
import { pages, query, under } from './query';
import type { ReportDetails, ReportedKind, ReportReason } from './schema.gen';

/** `queryClient.invalidateQueries(moderation)` after every decision. */
export const moderation = under('/api/moderation');

export type CaseState = 'open' | 'decided';

interface ReportFilter {
  state: CaseState;
  kind?: ReportedKind;
  reason?: ReportReason;
}

export const reportsQuery = (filter: ReportFilter) => pages('/api/moderation/reports', { query: filter });

/** `degraded`: messaging did not respond, so the pictures and the file of a message are missing. */
type FetchedReport = ReportDetails & { degraded?: boolean };

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/moderation/reports', 'one', id],
    queryFn: async (): Promise<FetchedReport> => {
      const call = api.GET('/api/moderation/reports/{id}', { params: { path: { id } } });
      const [{ response }, details] = await Promise.all([call, read(call)]);
      return response.headers.has('X-Degraded') ? { ...details, degraded: true } : details;
    },
    ...whileDegraded,
  });

export const appealsQuery = (state: CaseState) => pages('/api/moderation/appeals', { query: { state } });

export const suspensionAppealsQuery = (state: CaseState) =>
  pages('/api/moderation/suspension-appeals', { query: { state } });

export const suspensionsQuery = pages('/api/moderation/suspensions');

export const moderationStatsQuery = query('/api/moderation/statistics');

export const moderationLogQuery = pages('/api/moderation/log');

/** A removal of content of the member. */
export const removalQuery = (id: string) => query('/api/appeals/{id}', { path: { id } });
