// A broken stream is reopened with increasing delays, except after the end of the session.
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
  // The maximum jitter.
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

test('an event is received with its kind', async () => {
  await gateway.say('hello', {});
  await gateway.say('typing', { conversationId: 'c1', userId: 'u1' });
  expect(heard).toEqual([{ kind: 'hello' }, { kind: 'typing', conversationId: 'c1', userId: 'u1' }]);
});

test('a broken stream is reopened after 2, 4, 8 seconds, and at most every minute', async () => {
  for (const wait of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    await gateway.breakOff();
    expect(gateway.streams()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(gateway.streams()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(gateway.streams()).toHaveLength(1);
  }
});

test('half of the delay is jitter', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('a stream that was open for half a minute resets the delay', async () => {
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(2_000);
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(4_000 + 30_001);
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('a bye event reopens the stream without a session check', async () => {
  await gateway.say('bye', {});
  expect(gateway.streams()).toHaveLength(0);
  expect(asked).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('no stream is opened after the end of the session', async () => {
  signedIn = async () => false;
  await gateway.breakOff();
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(gateway.opened()).toHaveLength(1);
});

test('the stream is reopened if the session check fails', async () => {
  signedIn = () => Promise.reject(new Error('503'));
  await gateway.breakOff();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('an online event reopens the stream at once', async () => {
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

test('a closed stream stays closed', async () => {
  await gateway.breakOff();
  close();
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gateway.streams()).toHaveLength(0);
});
