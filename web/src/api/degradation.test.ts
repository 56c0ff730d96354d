// A degraded list is fetched again while it is on screen, with backoff, and on the next visit.
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { communityOf } from '@/testing/communities';
import { server } from '@/testing/server';
import { communitiesQuery, eventsQuery, statusQuery, suggestionsQuery } from './queries';
import { createQueryClient } from './query-client';
import { savedItemsQuery } from './saved';
import { foundQuery } from './search';

let queryClient = createQueryClient();
let asked = 0;
let isDegraded = true;

/** Serves an empty list with `X-Degraded`, or a complete list. */
const serve = (path: string, complete: object = []) =>
  server.use(
    http.get(path, () => {
      asked += 1;
      return isDegraded
        ? HttpResponse.json([], { headers: { 'X-Degraded': 'social-graph' } })
        : HttpResponse.json(complete);
    }),
  );

beforeEach(() => {
  queryClient = createQueryClient();
  asked = 0;
  isDegraded = true;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

/** Waits for the responses of running requests; the clock stands still. */
const settled = () =>
  vi.waitFor(() => expect(queryClient.isFetching()).toBe(0), { interval: 1, timeout: 15_000 });
const pass = async (seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    vi.advanceTimersByTime(1_000);
    await settled();
  }
};
const look = () => new InfiniteQueryObserver(queryClient, communitiesQuery).subscribe(() => undefined);

test('a degraded list is fetched until it is complete, and then never again', async () => {
  serve('/api/communities', [communityOf()]);
  const leave = look();
  await settled();
  expect(asked).toBe(1);
  await pass(10);
  expect(asked).toBeGreaterThan(1);
  isDegraded = false;
  await pass(90);
  expect(queryClient.getQueryData(communitiesQuery.queryKey)?.pages[0]?.items).toHaveLength(1);
  const before = asked;
  await pass(300);
  expect(asked).toBe(before);
  leave();
});

test('the requests become rare, and end when the screen is left', async () => {
  serve('/api/communities');
  const leave = look();
  await settled();
  await pass(30);
  const early = asked;
  expect(early).toBeGreaterThan(1);
  await pass(300);
  const before = asked;
  await pass(300);
  // At most one in 45 seconds.
  expect(asked - before).toBeGreaterThan(2);
  expect(asked - before).toBeLessThanOrEqual(300 / 45 + 1);
  leave();
  const left = asked;
  await pass(300);
  expect(asked).toBe(left);
});

test('a degraded list is fetched again on the next visit, a complete one is not', async () => {
  serve('/api/communities');
  look()();
  await settled();
  await pass(4);
  expect(asked).toBe(1);
  isDegraded = false;
  look()();
  await settled();
  expect(asked).toBe(2);
  look()();
  await settled();
  expect(asked).toBe(2);
});

test('a request that fails meanwhile does not end the fetching', async () => {
  serve('/api/communities', [communityOf()]);
  const leave = look();
  await settled();
  server.use(
    http.get('/api/communities', () => {
      asked += 1;
      return HttpResponse.error();
    }),
  );
  await pass(60);
  expect(asked).toBeGreaterThan(1);
  isDegraded = false;
  serve('/api/communities', [communityOf()]);
  await pass(120);
  expect(queryClient.getQueryData(communitiesQuery.queryKey)?.pages[0]?.items).toHaveLength(1);
  leave();
});

test.each([
  ['/api/events', eventsQuery],
  ['/api/saved-items', savedItemsQuery()],
  ['/api/search', foundQuery('people', 'ana')],
] as const)('%s is fetched again', async (path, query) => {
  serve(path);
  const observer = new InfiniteQueryObserver(queryClient, query as typeof eventsQuery);
  const leave = observer.subscribe(() => undefined);
  await settled();
  await pass(30);
  expect(asked).toBeGreaterThan(1);
  leave();
});

test('suggestions are fetched again', async () => {
  serve('/api/users/:id/suggestions');
  const leave = new QueryObserver(queryClient, suggestionsQuery('1')).subscribe(() => undefined);
  await settled();
  await pass(30);
  expect(asked).toBeGreaterThan(1);
  leave();
});

test('a status without one of its lists is fetched again', async () => {
  server.use(
    http.get('/api/status', () => {
      asked += 1;
      return HttpResponse.json({ jobs: [], news: null }, { headers: { 'X-Degraded': 'news' } });
    }),
  );
  const leave = new QueryObserver(queryClient, statusQuery).subscribe(() => undefined);
  await settled();
  await pass(30);
  expect(asked).toBeGreaterThan(1);
  leave();
});
