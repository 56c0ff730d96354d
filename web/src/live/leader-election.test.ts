// One stream per browser, regardless of the number of tabs.
import { renderHook } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '@/testing/eventually';
import { server } from '@/testing/server';
import { installStreamFakes, removeStreamFakes, setVisibility } from '@/testing/stream';
import type { LiveEvent } from './events';
import { type Topic, useLiveTopic } from './interests';
import { joinElection } from './leader-election';

let gateway: ReturnType<typeof installStreamFakes>;
const leaving: (() => void)[] = [];

/** A tab of member `who`, and the events it has received. */
function tab(who = 'isabel') {
  const received: LiveEvent['kind'][] = [];
  const leave = joinElection({
    memberId: who,
    onEvent: ({ kind }) => received.push(kind),
    isSignedIn: async () => true,
  });
  leaving.push(leave);
  return { received, leave };
}

const settle = () => vi.advanceTimersByTimeAsync(10);

beforeEach(() => {
  vi.useFakeTimers();
  gateway = installStreamFakes();
});
afterEach(() => {
  for (const leave of leaving.splice(0)) leave();
  vi.useRealTimers();
  removeStreamFakes();
});

test('the first tab opens the stream, and every tab receives its events', async () => {
  const [first, second] = [tab(), tab()];
  await settle();
  expect(gateway.opened().map(({ url }) => url)).toEqual(['/api/live']);
  second.received.length = 0;
  await gateway.send('notification', {});
  await settle();
  expect(first.received).toEqual(['notification']);
  expect(second.received).toEqual(['notification']);
});

test('a tab that joins late refetches everything once', async () => {
  tab();
  await settle();
  const late = tab();
  await settle();
  expect(late.received).toEqual(['hello']);
  tab();
  await settle();
  expect(late.received).toEqual(['hello']);
});

test('when the leader closes, the next tab opens a stream', async () => {
  const [first, second, third] = [tab(), tab(), tab()];
  await settle();
  first.leave();
  await settle();
  expect(gateway.opened()).toHaveLength(2);
  expect(gateway.streams()).toHaveLength(1);
  await gateway.send('hello', {});
  await settle();
  expect(second.received.at(-1)).toBe('hello');
  expect(third.received.at(-1)).toBe('hello');
});

test('a closed tab receives no events and does not become the leader', async () => {
  const [first, second] = [tab(), tab()];
  await settle();
  second.leave();
  second.received.length = 0;
  await gateway.send('notification', {});
  first.leave();
  await settle();
  expect(second.received).toEqual([]);
  expect(gateway.streams()).toHaveLength(0);
});

test('a visible tab replaces a suspended leader, which queues again when it resumes', async () => {
  // Holds the lock and never responds, like a suspended tab.
  let robbed = false;
  void navigator.locks
    .request('portia-live:isabel', {}, () => new Promise(() => undefined))
    .catch(() => {
      robbed = true;
    });
  const awake = tab();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.opened()).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(robbed).toBe(true);
  expect(gateway.streams()).toHaveLength(1);
  awake.leave();
  await settle();
  expect(gateway.streams()).toHaveLength(0);
});

test('a replaced leader closes its stream and can lead again later', async () => {
  tab();
  await settle();
  const robbing = new AbortController();
  void navigator.locks.request(
    'portia-live:isabel',
    { steal: true },
    () => new Promise<void>((release) => robbing.signal.addEventListener('abort', () => release())),
  );
  await settle();
  expect(gateway.streams()).toHaveLength(0);
  robbing.abort();
  await settle();
  expect(gateway.streams()).toHaveLength(1);
});

test('a hidden tab does not replace the leader', async () => {
  navigator.locks
    .request('portia-live:isabel', {}, () => new Promise(() => undefined))
    .catch(() => undefined);
  setVisibility('hidden');
  tab();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(gateway.opened()).toHaveLength(0);
  setVisibility('visible');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('members do not receive each other’s events', async () => {
  const [isabel, ben] = [tab('isabel'), tab('ben')];
  await settle();
  expect(gateway.streams()).toHaveLength(2);
  await gateway.send('notification', {});
  await settle();
  expect(isabel.received).toEqual(['notification']);
  expect(ben.received).toEqual(['notification']);
});

test('without locks there is no stream', async () => {
  removeStreamFakes();
  vi.stubGlobal('EventSource', () => {
    throw new Error('opened');
  });
  expect(() => tab().leave()).not.toThrow();
});

test('the leader registers what every tab shows, and forgets closed tabs', async () => {
  const registered: string[][] = [];
  server.use(
    http.put('/api/live/:stream/interests', async ({ request }) => {
      registered.push(((await request.json()) as { posts: string[] }).posts);
      return HttpResponse.json({ posts: [] });
    }),
  );
  const other = new BroadcastChannel('portia-live:isabel');
  const asked: unknown[] = [];
  other.onmessage = ({ data }) => asked.push(data.kind);
  const otherShows = (...topics: Topic[]) => other.postMessage({ kind: 'I show', tab: 'other', topics });
  const last = async (posts: string[]) => {
    await vi.advanceTimersByTimeAsync(200);
    await eventually(() => expect(registered.at(-1)).toEqual(posts));
  };

  const { unmount } = renderHook(() => useLiveTopic('post mine'));
  tab();
  await settle();
  expect(asked).toContain('who shows what?');
  otherShows('post theirs', 'post mine');
  await gateway.send('hello', { streamId: 's1' });
  await last(['theirs', 'mine']);
  unmount();
  await last(['theirs', 'mine']);
  otherShows('post theirs');
  await last(['theirs']);
  otherShows();
  await last([]);
});

test('a tab that does not lead tells what it shows', async () => {
  tab();
  await settle();
  const heard: unknown[] = [];
  const leader = new BroadcastChannel('portia-live:ben');
  void navigator.locks
    .request('portia-live:ben', {}, () => new Promise<void>(() => undefined))
    .catch(() => undefined);
  leader.onmessage = ({ data }) => heard.push(data);
  const { leave } = tab('ben');
  await settle();
  const { unmount } = renderHook(() => useLiveTopic('feed'));
  await settle();
  const announced = { kind: 'I show', tab: expect.any(String), topics: ['feed'] };
  expect(heard).toContainEqual(announced);
  heard.length = 0;
  leader.postMessage({ kind: 'who shows what?' });
  await settle();
  expect(heard).toEqual([announced]);
  leave();
  await settle();
  expect(heard.at(-1)).toEqual({ ...announced, topics: [] });
  unmount();
});
