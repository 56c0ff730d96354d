// The query client with the specification's defaults (section 9, Data fetching).
import { QueryClient } from '@tanstack/react-query';

/** Results never go stale, nothing refetches by itself, and neither reads nor writes are retried. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // A prefetch that failed in a loader is shown as failed, not fetched again by the component.
        retryOnMount: false,
      },
      mutations: { retry: false },
    },
  });
}
