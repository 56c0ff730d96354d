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
    written('a', { state: 'failed', refusal: 'No.' }),
    written('b'),
    written('c', { state: 'queued' }),
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

test('the same words from before, of the other, or of a message that failed are another message', () => {
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
  const failed = rowsOf({
    ...whole,
    messages: [messageOf(2), mine(3, { content: words })],
    outgoing: [written('a', { state: 'failed' })],
  });
  expect(failed).toHaveLength(3);
});
