// Failed fetches are retried, refused ones are not, and cache updates keep the invalidation.
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { server } from '@/testing/server';
import { ApiError } from './error';
import { unreadQuery } from './queries';
import { createQueryClient } from './query-client';
import { retryInterval, retryIntervalWithData, updateCached } from './refetch-policy';

const queryKey = ['what is read'];
const refusal = (status: number) =>
  new ApiError('No', { status, sentence: 'No', readable: true, fields: {} });
let queryClient = createQueryClient();
beforeEach(() => {
  queryClient = createQueryClient();
});

describe('retrying', () => {
  let asked: number;
  let failure: Error | null;
  const queryFn = async () => {
    asked += 1;
    if (failure) throw failure;
    return 'new';
  };
  const look = (refetchInterval: typeof retryIntervalWithData) =>
    new QueryObserver(queryClient, { queryKey, queryFn, refetchInterval }).subscribe(() => undefined);
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

  beforeEach(() => {
    vi.useFakeTimers();
    asked = 0;
    failure = new TypeError('Failed to fetch');
  });
  afterEach(() => {
    queryClient.clear();
    vi.useRealTimers();
  });

  test('a failed fetch is retried within half a minute until it succeeds', async () => {
    queryClient.setQueryData(queryKey, 'old');
    const leave = look(retryIntervalWithData);
    await pass(120);
    expect(asked).toBe(0);
    await queryClient.invalidateQueries({ queryKey });
    expect(asked).toBe(1);
    await pass(1.9);
    expect(asked).toBe(1);
    await pass(28.1);
    expect(asked).toBeGreaterThan(1);
    failure = null;
    await pass(30);
    expect(queryClient.getQueryData(queryKey)).toBe('new');
    const before = asked;
    await pass(120);
    expect(asked).toBe(before);
    leave();
  });

  test('an inactive query is retried once it is active', async () => {
    queryClient.setQueryData(queryKey, 'old');
    const leave = look(retryIntervalWithData);
    await queryClient.invalidateQueries({ queryKey });
    leave();
    await pass(120);
    expect(asked).toBe(1);
  });

  test.each([
    [404, 1],
    [403, 1],
    [429, 2],
    [503, 2],
  ])('a response of %i is final or temporary', async (status, times) => {
    queryClient.setQueryData(queryKey, 'old');
    failure = refusal(status);
    const leave = look(retryIntervalWithData);
    await queryClient.invalidateQueries({ queryKey });
    await pass(30);
    leave();
    expect(Math.min(asked, 2)).toBe(times);
  });

  test('a query without data is retried only if its error is not shown', async () => {
    const leave = look(retryIntervalWithData);
    await pass(120);
    expect(asked).toBe(1);
    leave();
    const again = look(retryInterval);
    await pass(30);
    expect(asked).toBeGreaterThan(1);
    again();
  });

  test('a failed further page is not retried', async () => {
    queryClient.setQueryData(queryKey, { pages: ['first'], pageParams: [0] });
    const observer = new InfiniteQueryObserver(queryClient, {
      queryKey,
      queryFn,
      initialPageParam: 0,
      getNextPageParam: () => 1,
      refetchInterval: retryIntervalWithData,
    });
    const leave = observer.subscribe(() => undefined);
    await observer.fetchNextPage();
    expect(observer.getCurrentResult().isFetchNextPageError).toBe(true);
    await pass(120);
    expect(asked).toBe(1);
    leave();
  });
});

describe('unread counts', () => {
  const read = () => queryClient.fetchQuery({ ...unreadQuery, staleTime: 0 });
  const counts = (messages: number, headers = {}) =>
    server.use(
      http.get('/api/unread', () =>
        HttpResponse.json({ messages, requests: 0, notifications: 0 }, { headers }),
      ),
    );

  test('zeros of a degraded response do not replace known counts', async () => {
    counts(3);
    await read();
    counts(0, { 'X-Degraded': 'messaging' });
    await expect(read()).rejects.toThrow();
    expect(queryClient.getQueryData(unreadQuery.queryKey)?.messages).toBe(3);
    counts(0);
    await expect(read()).resolves.toHaveProperty('messages', 0);
  });
});

describe('updating the cache', () => {
  const change = () => updateCached<string>(queryClient, queryKey, (known) => `${known}, changed`);

  test('an invalidated query stays invalidated', async () => {
    queryClient.setQueryData(queryKey, 'known');
    change();
    expect(queryClient.getQueryState(queryKey)).toMatchObject({
      data: 'known, changed',
      isInvalidated: false,
    });
    await queryClient.invalidateQueries({ queryKey });
    change();
    expect(queryClient.getQueryState(queryKey)).toMatchObject({
      data: 'known, changed, changed',
      isInvalidated: true,
    });
  });

  test('a running fetch continues', () => {
    queryClient.setQueryData(queryKey, 'known');
    void queryClient.fetchQuery({ queryKey, queryFn: () => new Promise(() => undefined), staleTime: 0 });
    change();
    expect(queryClient.getQueryState(queryKey)?.fetchStatus).toBe('fetching');
  });

  test('a query without data is not changed', () => {
    change();
    expect(queryClient.getQueryState(queryKey)).toBeUndefined();
  });
});
