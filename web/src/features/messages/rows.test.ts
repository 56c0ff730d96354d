// Days, runs, checks, and what is on its way: the lines of a thread.
import { expect, test } from 'vitest';
import { messageOf, mine } from '@/testing/messages';
import { isabel } from '@/testing/server';
import { rowsOf } from './rows';
import type { Outgoing } from './sending';

const whole = { me: isabel.id, outgoing: [], hasOlder: false };

function written(key: string, changes: Partial<Outgoing> = {}): Outgoing {
  return {
    key,
    content: `Words ${key}`,
    writtenAt: '2026-11-20T10:00:00Z',
    after: 'm2',
    state: 'sending',
    refusal: null,
    mayHaveArrived: true,
    ...changes,
  };
}

test('the last of a run points at its writer; a day ends a run', () => {
  const late = messageOf(4, { createdAt: new Date(2026, 10, 21, 0, 1).toISOString() });
  const early = messageOf(3, { createdAt: new Date(2026, 10, 20, 23, 59).toISOString() });
  const rows = rowsOf({ ...whole, messages: [mine(1), mine(2), early, late] });
  expect(rows.map(({ endsRun }) => endsRun)).toEqual([false, true, true, true]);
  expect(rows.map(({ startsDay }) => startsDay)).toEqual([true, false, false, true]);
});

test('whether the first message is the first of its day is known once there is nothing before it', () => {
  expect(rowsOf({ ...whole, messages: [mine(1)], hasOlder: true })[0]?.startsDay).toBe(false);
  expect(rowsOf({ ...whole, messages: [mine(1)] })[0]?.startsDay).toBe(true);
});

test('one’s own is sent, then read', () => {
  const rows = rowsOf({ ...whole, messages: [mine(1, { isRead: true }), mine(2)] });
  expect(rows.map(({ state }) => state)).toEqual(['read', 'sent']);
});

test('what is on its way stands at the end in the order it was written', () => {
  const outgoing = [
    written('a', { state: 'failed', refusal: 'No.', mayHaveArrived: false }),
    written('b'),
    written('c', { state: 'queued', mayHaveArrived: false }),
  ];
  const rows = rowsOf({ ...whole, messages: [messageOf(1), messageOf(2)], outgoing });
  expect(rows.map(({ key, state }) => [key, state])).toEqual([
    ['m1', 'read'],
    ['m2', 'read'],
    ['a', 'failed'],
    ['b', 'sending'],
    ['c', 'sending'],
  ]);
  expect(rows[2]?.refusal).toBe('No.');
});

test('a message that is read back before its answer comes is not shown twice, and stays the same line', () => {
  const messages = [messageOf(1), messageOf(2), mine(3, { content: 'Words a' }), messageOf(4)];
  const rows = rowsOf({ ...whole, messages, outgoing: [written('a')] });
  expect(rows.map(({ key }) => key)).toEqual(['m1', 'm2', 'a', 'm4']);
});

test('one whose answer was lost has arrived if it is read back', () => {
  const messages = [messageOf(1), messageOf(2), mine(3, { content: 'Words a' })];
  const rows = rowsOf({ ...whole, messages, outgoing: [written('a', { state: 'failed' })] });
  expect(rows.map(({ key, state }) => [key, state])).toEqual([
    ['m1', 'read'],
    ['m2', 'read'],
    ['a', 'sent'],
  ]);
});

test('the same words on their way twice have arrived once when they are read back once', () => {
  const messages = [messageOf(2), mine(3, { content: 'Hello?' })];
  const failed = written('a', { content: 'Hello?', state: 'failed' });
  const keysOf = (...outgoing: Outgoing[]) => rowsOf({ ...whole, messages, outgoing }).map(({ key }) => key);
  expect(keysOf(failed, { ...failed, key: 'b' })).toEqual(['m2', 'a', 'b']);
  // That it failed may be true: what is being sent is the likelier one.
  expect(keysOf(failed, { ...failed, key: 'b', state: 'sending' })).toEqual(['m2', 'b', 'a']);
});

test('words that the server has composed are the same words', () => {
  const messages = [messageOf(2), mine(3, { content: 'Jos\u00e9' })];
  expect(rowsOf({ ...whole, messages, outgoing: [written('a', { content: 'Jose\u0301' })] })).toHaveLength(2);
});

test('the same words from before, of the other, or of a message that was refused are another message', () => {
  const words = 'Words a';
  const before = rowsOf({
    ...whole,
    messages: [mine(1, { content: words }), messageOf(2)],
    outgoing: [written('a')],
  });
  expect(before).toHaveLength(3);
  const others = rowsOf({
    ...whole,
    messages: [messageOf(2), messageOf(3, { content: words })],
    outgoing: [written('a')],
  });
  expect(others).toHaveLength(3);
  const refused = rowsOf({
    ...whole,
    messages: [messageOf(2), mine(3, { content: words })],
    outgoing: [written('a', { state: 'failed', mayHaveArrived: false })],
  });
  expect(refused).toHaveLength(3);
});
