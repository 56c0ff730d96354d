// One stream per browser, regardless of the number of tabs.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lookAway, noLine, withLine } from '@/testing/live';
import type { LiveEvent } from './events';
import { joinElection } from './leader-election';

let gateway: ReturnType<typeof withLine>;
const leaving: (() => void)[] = [];

/** A tab of member `who`, and the events it has received. */
function tab(who = 'isabel') {
  const heard: LiveEvent['kind'][] = [];
  const leave = joinElection({
    memberId: who,
    hear: ({ kind }) => heard.push(kind),
    isSignedIn: async () => true,
  });
  leaving.push(leave);
  return { heard, leave };
}

const settle = () => vi.advanceTimersByTimeAsync(10);

beforeEach(() => {
  vi.useFakeTimers();
  gateway = withLine();
});
afterEach(() => {
  for (const leave of leaving.splice(0)) leave();
  vi.useRealTimers();
  noLine();
});

test('the first tab opens the stream, and every tab receives its events', async () => {
  const [first, second] = [tab(), tab()];
  await settle();
  expect(gateway.opened().map(({ url }) => url)).toEqual(['/api/live']);
  second.heard.length = 0;
  await gateway.say('notification', {});
  await settle();
  expect(first.heard).toEqual(['notification']);
  expect(second.heard).toEqual(['notification']);
});

test('a tab that joins late refetches everything once', async () => {
  tab();
  await settle();
  const late = tab();
  await settle();
  expect(late.heard).toEqual(['hello']);
  tab();
  await settle();
  expect(late.heard).toEqual(['hello']);
});

test('when the leader closes, the next tab opens a stream', async () => {
  const [first, second, third] = [tab(), tab(), tab()];
  await settle();
  first.leave();
  await settle();
  expect(gateway.opened()).toHaveLength(2);
  expect(gateway.streams()).toHaveLength(1);
  await gateway.say('hello', {});
  await settle();
  expect(second.heard.at(-1)).toBe('hello');
  expect(third.heard.at(-1)).toBe('hello');
});

test('a closed tab receives no events and does not become the leader', async () => {
  const [first, second] = [tab(), tab()];
  await settle();
  second.leave();
  second.heard.length = 0;
  await gateway.say('notification', {});
  first.leave();
  await settle();
  expect(second.heard).toEqual([]);
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
  lookAway('hidden');
  tab();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(gateway.opened()).toHaveLength(0);
  lookAway('visible');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('members do not receive each other’s events', async () => {
  const [isabel, ben] = [tab('isabel'), tab('ben')];
  await settle();
  expect(gateway.streams()).toHaveLength(2);
  await gateway.say('notification', {});
  await settle();
  expect(isabel.heard).toEqual(['notification']);
  expect(ben.heard).toEqual(['notification']);
});

test('without locks there is no stream', async () => {
  noLine();
  vi.stubGlobal('EventSource', () => {
    throw new Error('opened');
  });
  expect(() => tab().leave()).not.toThrow();
});
