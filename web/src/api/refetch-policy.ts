// Keeps invalidated queries invalidated until they are fetched: failed fetches are retried, cache updates keep the flag.
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from './error';

interface QueryWithState {
  state: {
    data: unknown;
    error: Error | null;
    errorUpdatedAt: number;
    fetchMeta: { fetchMore?: object } | null;
    isInvalidated: boolean;
  };
}

/** The delay from a failed fetch to the next one in milliseconds: the minimum, and the range of the jitter. */
const minimum = 2_000;
const jitterRange = 28_000;
/** Jitter, so that clients do not return at the same time. */
const jitter = Math.random() * jitterRange;

/**
 * The `refetchInterval` of queries that the event stream invalidates: an active query whose fetch failed is retried. The
 * stream stays open while a service is down and sends no event when it returns.
 */
export function retryInterval({ state }: QueryWithState): number | false {
  const { error, errorUpdatedAt, fetchMeta, isInvalidated } = state;
  // A failed further page shows its error at the end of the list and is retried on demand.
  if (!isInvalidated || isRefused(error) || fetchMeta?.fetchMore) return false;
  return minimum + ((jitter + errorUpdatedAt) % jitterRange);
}

/** The same for queries that show an error while they have no data: a retry would make the error flicker. */
export const retryIntervalWithData = (query: QueryWithState): number | false =>
  query.state.data !== undefined && retryInterval(query);

/** A repeated request would be refused again. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

/**
 * Updates the data of a query, if it has any. `setQueryData` marks a query as fresh; this function keeps an invalidated
 * query invalidated.
 */
export function updateCached<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  change: (data: Data) => Data | undefined,
): void {
  const query = queryClient.getQueryCache().find({ queryKey });
  const isInvalidatedBefore = query?.state.isInvalidated;
  queryClient.setQueryData<Data>(queryKey, (data) => data && change(data));
  if (isInvalidatedBefore) query?.invalidate();
}
