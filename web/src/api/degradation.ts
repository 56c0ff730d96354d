// Responses with missing data of an unavailable service (`X-Degraded`): soon stale, and fetched again while on screen.

/** The part of a query that the functions read. */
interface DegradedQuery {
  state: { data: unknown; dataUpdatedAt: number; errorUpdatedAt: number };
}

/** Milliseconds until the first repetition; each further one takes twice as long, up to the maximum. */
const first = 4_000;
const maximum = 60_000;
/** The part of a delay that is random, so that clients do not return at the same time. */
const jitter = 0.25 * Math.random();

/** Query -> the time of its last response, and the number of degraded responses in a row. */
const runs = new WeakMap<DegradedQuery, { at: number; length: number }>();

function interval(query: DegradedQuery, isDegraded: (data: unknown) => boolean): number | false {
  const { data, dataUpdatedAt, errorUpdatedAt } = query.state;
  if (!isDegraded(data)) {
    runs.delete(query);
    return false;
  }
  // Called for every change of the query; only a new response or failure is a further attempt.
  const at = Math.max(dataUpdatedAt, errorUpdatedAt);
  const known = runs.get(query);
  const length = (known?.length ?? 0) + (known?.at === at ? 0 : 1);
  runs.set(query, { at, length });
  return Math.min(first * 2 ** (length - 1), maximum) * (1 - jitter);
}

/**
 * Options of a query whose service may be unavailable. The service sends no event when it returns. The requests stop
 * with the screen, and while its tab is hidden.
 */
export const refetchedWhile = (isDegraded: (data: unknown) => boolean) => ({
  // Not 0: a component that mounts with the response of a prefetch would repeat the request at once.
  staleTime: ({ state }: DegradedQuery) => (isDegraded(state.data) ? first : Number.POSITIVE_INFINITY),
  refetchInterval: (query: DegradedQuery) => interval(query, isDegraded),
});

/** A page, or a list of pages. */
interface Listed {
  degraded?: boolean;
  pages?: { degraded: boolean }[];
}

export function isDegradedList(data: unknown): boolean {
  const { degraded, pages } = (data ?? {}) as Listed;
  return degraded ?? pages?.some((page) => page.degraded) ?? false;
}

/** For lists. */
export const whileDegraded = refetchedWhile(isDegradedList);
