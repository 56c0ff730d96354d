// The specification's defaults for data fetching.
import { expect, test } from 'vitest';
import { createQueryClient } from './query-client';

test('queries never go stale, refetch by themselves or retry', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    retry: false,
  });
  expect(mutations).toMatchObject({ retry: false });
});
