// A stream that breaks is opened again: soon, then less and less often, never for a session that is over.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noLine, withLine } from '@/testing/live';
import { openStream } from './stream';

let gateway: ReturnType<typeof withLine>;
let signedIn: () => Promise<boolean>;
let asked = 0;
const heard: unknown[] = [];
let close = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  // The longest wait there can be.
  vi.spyOn(Math, 'random').mockReturnValue(1);
  gateway = withLine();
  signedIn = async () => true;
  asked = 0;
  heard.length = 0;
  close = openStream({
    hear: (event) => heard.push(event),
    isSignedIn: () => {
      asked += 1;
      return signedIn();
    },
  });
});
afterEach(() => {
  close();
  vi.useRealTimers();
  noLine();
});

test('what is said is heard, with its kind', async () => {
  await gateway.say('hello', {});
  await gateway.say('typing', { conversationId: 'c1', userId: 'u1' });
  expect(heard).toEqual([{ kind: 'hello' }, { kind: 'typing', conversationId: 'c1', userId: 'u1' }]);
});

test('a broken stream is opened again after 2, 4, 8 seconds, at last every minute', async () => {
  for (const wait of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    await gateway.breakOff();
    expect(gateway.streams()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(gateway.streams()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(gateway.streams()).toHaveLength(1);
  }
});

test('half of the wait is chance', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('one that lived for half a minute was good: the next failure is the first again', async () => {
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(2_000);
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(4_000 + 30_001);
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('a gateway that says bye is left, and the next one opened, without a question about the session', async () => {
  await gateway.say('bye', {});
  expect(gateway.streams()).toHaveLength(0);
  expect(asked).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('a session that is over opens no stream any more', async () => {
  signedIn = async () => false;
  await gateway.breakOff();
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(gateway.opened()).toHaveLength(1);
});

test('where the session cannot be asked for, the stream is tried all the same', async () => {
  signedIn = () => Promise.reject(new Error('503'));
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('back online it does not wait', async () => {
  for (const wait of [2_000, 4_000, 8_000]) {
    await gateway.breakOff();
    await vi.advanceTimersByTimeAsync(wait);
  }
  await gateway.breakOff();
  window.dispatchEvent(new Event('online'));
  expect(gateway.streams()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('a stream that was closed stays closed', async () => {
  await gateway.breakOff();
  close();
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gateway.streams()).toHaveLength(0);
});
