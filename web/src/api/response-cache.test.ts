// Stored copies of responses: which exist, for which member, and when they are removed.
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '@/testing/eventually';
import { ownDevice } from '@/testing/server';
import { type CacheOwner, cachedResponse, forgetOthers, keep } from './response-cache';

/** The Cache API as far as response-cache.ts uses it; happy-dom has none. */
function cacheStorage() {
  const caches = new Map<string, Map<string, Response>>();
  const cache = (name: string) => {
    const held = caches.get(name) ?? new Map<string, Response>();
    caches.set(name, held);
    return {
      put: async (address: string, response: Response) => {
        held.delete(address);
        held.set(address, response);
      },
      keys: async () => [...held.keys()],
      match: async (address: string) => held.get(address)?.clone(),
      delete: async (address: string) => held.delete(address),
    };
  };
  return {
    names: () => [...caches.keys()],
    addresses: (name: string) => [...(caches.get(name)?.keys() ?? [])],
    keys: async () => [...caches.keys()],
    open: async (name: string) => cache(name),
    delete: async (name: string) => caches.delete(name),
    match: async (address: string, { cacheName }: { cacheName: string }) =>
      caches.get(cacheName)?.get(address)?.clone(),
  };
}

let storage: ReturnType<typeof cacheStorage>;
const known = Promise.resolve();
const member: CacheOwner = { memberId: 'one', known };
const jobs = 'http://localhost:3000/api/jobs';
const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' }, ...init });

beforeEach(() => {
  storage = cacheStorage();
  vi.stubGlobal('caches', storage);
  member.memberId = 'one';
  ownDevice('one');
});

test('a response is answered again to its member only', async () => {
  const response = json([1, 2]);
  keep(member, jobs, response);
  await eventually(async () => expect(await (await cachedResponse(member, jobs))?.json()).toEqual([1, 2]));
  // The response itself was not used up.
  expect(await response.json()).toEqual([1, 2]);
  expect(await cachedResponse({ memberId: 'two', known }, jobs)).toBeUndefined();
});

test('failures, incomplete lists, results of searches, what moderators and visitors read are not kept', async () => {
  keep(member, jobs, json({}, { status: 503 }));
  keep(member, jobs, json([], { headers: { 'Content-Type': 'application/json', 'X-Degraded': 'jobs' } }));
  keep(member, 'http://localhost:3000/api/search?q=x', json([]));
  keep(member, 'http://localhost:3000/api/auth/check-username', json({}));
  keep(member, 'http://localhost:3000/api/moderation/reports', json([]));
  keep({ memberId: null, known }, jobs, json([]));
  keep(member, 'http://localhost:3000/api/auth/me', json({ id: 'one' }));
  await eventually(() =>
    expect(storage.addresses('portia-kept:one')).toEqual(['http://localhost:3000/api/auth/me']),
  );
  expect(storage.names()).toEqual(['portia-kept:one']);
});

test('the copies of others go when a member comes, and all of them after the end of the session', async () => {
  keep(member, jobs, json([]));
  await eventually(() => expect(storage.names()).toEqual(['portia-kept:one']));
  await forgetOthers({ memberId: 'one', known });
  expect(storage.names()).toEqual(['portia-kept:one']);
  await forgetOthers({ memberId: 'two', known });
  expect(storage.names()).toEqual([]);
});

test('a response that comes before the session is known waits for its member', async () => {
  let settle: () => void = () => undefined;
  const pending: CacheOwner = {
    memberId: undefined,
    known: new Promise((settled) => {
      settle = settled;
    }),
  };
  keep(pending, jobs, json([]));
  keep(pending, `${jobs}/1`, json({}));
  pending.memberId = 'one';
  settle();
  await eventually(() => expect(storage.addresses('portia-kept:one')).toEqual([jobs, `${jobs}/1`]));
});

test('what one member read is never kept for the next one', async () => {
  keep(member, jobs, json([]));
  member.memberId = 'two';
  ownDevice('two');
  keep(member, `${jobs}/1`, json({}));
  await eventually(() => expect(storage.names()).toEqual(['portia-kept:two']));
  expect(storage.addresses('portia-kept:two')).toEqual([`${jobs}/1`]);
});

test('a response that comes after the end of the session leaves nothing', async () => {
  let arrive: (chunk: Uint8Array) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      arrive = (chunk) => {
        controller.enqueue(chunk);
        controller.close();
      };
    },
  });
  keep(member, jobs, new Response(body, { headers: { 'Content-Type': 'application/json' } }));
  member.memberId = null;
  arrive(new TextEncoder().encode('[]'));
  await eventually(() => expect(storage.names()).toEqual([]));
});

test('on a shared computer nothing is kept, and nothing is answered from a copy', async () => {
  keep(member, jobs, json([]));
  await eventually(() => expect(storage.addresses('portia-kept:one')).toEqual([jobs]));
  ownDevice(null);
  expect(await cachedResponse(member, jobs)).toBeUndefined();
  expect(await cachedResponse({ memberId: undefined, known }, jobs)).toBeUndefined();
  keep(member, `${jobs}/1`, json({}));
  await forgetOthers(member);
  expect(storage.names()).toEqual([]);
  // Another response that is kept comes after it.
  ownDevice('one');
  keep(member, `${jobs}/2`, json({}));
  await eventually(() => expect(storage.addresses('portia-kept:one')).toEqual([`${jobs}/2`]));
});

test('before the session is known, only the member whose session this browser has is answered', async () => {
  keep(member, jobs, json([]));
  await eventually(() => expect(storage.addresses('portia-kept:one')).toEqual([jobs]));
  expect(await cachedResponse({ memberId: undefined, known }, jobs)).toBeDefined();
  ownDevice('two');
  expect(await cachedResponse({ memberId: undefined, known }, jobs)).toBeUndefined();
});

test('only the newest copies stay, and none longer than two weeks', async () => {
  for (let nr = 0; nr < 402; nr += 1) keep(member, `${jobs}/${nr}`, json(nr));
  const kept = () => storage.addresses('portia-kept:one');
  await eventually(() => expect(kept()).not.toContain(`${jobs}/1`));
  await eventually(() => expect(kept()).toContain(`${jobs}/401`));
  expect(kept().length).toBeLessThanOrEqual(400);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 24 * 60 * 60 * 1000 });
  expect(await cachedResponse(member, `${jobs}/300`)).toBeUndefined();
  // They go with the next copy.
  keep(member, jobs, json([]));
  await eventually(() => expect(kept()).toEqual([jobs]));
  vi.useRealTimers();
});
