// A broken stream is reopened with increasing delays, except after the end of the session.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installStreamFakes, removeStreamFakes } from '@/testing/stream';
import { openStream } from './stream';

let gateway: ReturnType<typeof installStreamFakes>;
let signedIn: () => Promise<boolean>;
let asked = 0;
const received: unknown[] = [];
let close = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  // The maximum jitter.
  vi.spyOn(Math, 'random').mockReturnValue(1);
  gateway = installStreamFakes();
  signedIn = async () => true;
  asked = 0;
  received.length = 0;
  close = openStream({
    onEvent: (event) => received.push(event),
    isSignedIn: () => {
      asked += 1;
      return signedIn();
    },
  });
});
afterEach(() => {
  close();
  vi.useRealTimers();
  removeStreamFakes();
});

test('an event is received with its kind', async () => {
  await gateway.send('hello', {});
  await gateway.send('typing', { conversationId: 'c1', userId: 'u1' });
  expect(received).toEqual([{ kind: 'hello' }, { kind: 'typing', conversationId: 'c1', userId: 'u1' }]);
});

test('a broken stream is reopened after 2, 4, 8 seconds, and at most every minute', async () => {
  for (const wait of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    await gateway.fail();
    expect(gateway.streams()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(gateway.streams()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(gateway.streams()).toHaveLength(1);
  }
});

test('half of the delay is jitter', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await gateway.fail();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('a stream that was open for half a minute resets the delay', async () => {
  await gateway.fail();
  await vi.advanceTimersByTimeAsync(2_000);
  await gateway.fail();
  await vi.advanceTimersByTimeAsync(4_000 + 30_001);
  await gateway.fail();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('a bye event reopens the stream without a session check', async () => {
  await gateway.send('bye', {});
  expect(gateway.streams()).toHaveLength(0);
  expect(asked).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('no stream is opened after the end of the session', async () => {
  signedIn = async () => false;
  await gateway.fail();
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(gateway.opened()).toHaveLength(1);
});

test('the stream is reopened if the session check fails', async () => {
  signedIn = () => Promise.reject(new Error('503'));
  await gateway.fail();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('an online event reopens the stream at once', async () => {
  for (const wait of [2_000, 4_000, 8_000]) {
    await gateway.fail();
    await vi.advanceTimersByTimeAsync(wait);
  }
  await gateway.fail();
  window.dispatchEvent(new Event('online'));
  expect(gateway.streams()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gateway.streams()).toHaveLength(1);
});

test('a closed stream stays closed', async () => {
  await gateway.fail();
  close();
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gateway.streams()).toHaveLength(0);
});
