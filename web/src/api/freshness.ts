// What is old stays old until it has been read anew: it is asked for again, and a change in the cache hides nothing of it.
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from './error';

interface Asked {
  state: {
    data: unknown;
    error: Error | null;
    errorUpdatedAt: number;
    fetchMeta: { fetchMore?: object } | null;
    isInvalidated: boolean;
  };
}

/** Milliseconds from a reading that failed to the next one: at least, and how much of it is chance. */
const least = 2_000;
const chance = 28_000;
/** Jitter, so that clients do not return at the same time. */
const mine = Math.random() * chance;

/**
 * The `refetchInterval` of what the live line makes old: while it is on screen and could not be read, it is asked for
 * again. The line says nothing of a service that was away and has come back: the stream stands all the while.
 */
export function untilKnown({ state }: Asked): number | false {
  const { error, errorUpdatedAt, fetchMeta, isInvalidated } = state;
  // A further page of a list that did not come says so at its end, and waits to be asked for there.
  if (!isInvalidated || isRefused(error) || fetchMeta?.fetchMore) return false;
  return least + ((mine + errorUpdatedAt) % chance);
}

/** The same for what says that it could not be read when there is nothing of it yet: that would come and go. */
export const untilRead = (query: Asked): number | false =>
  query.state.data !== undefined && untilKnown(query);

/** The answer would be the same. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

/**
 * Changes what a query holds, if it holds anything. To write into a query makes it pass for fresh: one that is to be read
 * anew still is.
 */
export function changeCached<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  change: (data: Data) => Data | undefined,
): void {
  const query = queryClient.getQueryCache().find({ queryKey });
  const isOld = query?.state.isInvalidated;
  queryClient.setQueryData<Data>(queryKey, (data) => data && change(data));
  if (isOld) query?.invalidate();
}
