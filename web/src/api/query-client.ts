// The query client with the specification's defaults (section 9, Data fetching).
import { QueryClient } from '@tanstack/react-query';

/** Results never go stale, nothing refetches by itself, and neither queries nor mutations are retried. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // A prefetch that failed in a loader is shown as failed; the component does not fetch it again.
        retryOnMount: false,
        // Without a network a read is tried all the same: this browser may have kept a copy.
        networkMode: 'always',
      },
      mutations: { retry: false },
    },
  });
}
