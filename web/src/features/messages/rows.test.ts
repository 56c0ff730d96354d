// The rows of a thread: days, runs, delivery states, and outgoing messages.
import { expect, test } from 'vitest';
import { messageOf, mine } from '@/testing/messages';
import { isabel } from '@/testing/server';
import type { UnsentMessage } from './outbox';
import { rowsOf } from './rows';

const whole = {
  me: isabel.id,
  outgoing: [],
  sentKeys: new Map<string, string>(),
  hasOlder: false,
  unreadFrom: null,
};

function written(key: string, changes: Partial<UnsentMessage> = {}): UnsentMessage {
  return {
    key,
    content: `Words ${key}`,
    writtenAt: '2026-11-20T10:00:00Z',
    after: 'm2',
    attempted: true,
    failure: null,
    refusal: null,
    ...changes,
  };
}

test('the last message of a run has the pointer, and a new day ends a run', () => {
  const late = messageOf(4, { createdAt: new Date(2026, 10, 21, 0, 1).toISOString() });
  const early = messageOf(3, { createdAt: new Date(2026, 10, 20, 23, 59).toISOString() });
  const rows = rowsOf({ ...whole, messages: [mine(1), mine(2), early, late] });
  expect(rows.map(({ endsRun }) => endsRun)).toEqual([false, true, true, true]);
  expect(rows.map(({ startsDay }) => startsDay)).toEqual([true, false, false, true]);
});

test('the first message shows its day only if there is no older page', () => {
  expect(rowsOf({ ...whole, messages: [mine(1)], hasOlder: true })[0]?.startsDay).toBe(false);
  expect(rowsOf({ ...whole, messages: [mine(1)] })[0]?.startsDay).toBe(true);
});

test('the first unread message is marked until the member writes', () => {
  const messages = [mine(1), messageOf(2), messageOf(3)];
  const marks = (more: Partial<Parameters<typeof rowsOf>[0]>) =>
    rowsOf({ ...whole, messages, unreadFrom: 'm2', ...more }).map(({ startsUnread }) => startsUnread);
  expect(marks({})).toEqual([false, true, false]);
  expect(marks({ outgoing: [written('a')] })).toEqual([false, false, false, false]);
  expect(marks({ unreadFrom: null })).toEqual([false, false, false]);
});

test('the member’s own message is sent, then read', () => {
  const rows = rowsOf({ ...whole, messages: [mine(1, { isRead: true }), mine(2)] });
  expect(rows.map(({ state }) => state)).toEqual(['read', 'sent']);
});

test('outgoing messages are at the end in the order of writing', () => {
  const outgoing = [
    written('a', { failure: 'refused', refusal: 'No.' }),
    written('b'),
    written('c', { attempted: false }),
    written('d', { attempted: false, failure: 'offline' }),
  ];
  const rows = rowsOf({ ...whole, messages: [messageOf(1), messageOf(2)], outgoing });
  expect(rows.map(({ key, state }) => [key, state])).toEqual([
    ['m1', 'read'],
    ['m2', 'read'],
    ['a', 'failed'],
    ['b', 'sending'],
    ['c', 'sending'],
    ['d', 'waiting'],
  ]);
  expect(rows[2]?.refusal).toBe('No.');
});

test('a message that is fetched before its response is shown once and keeps its row', () => {
  const messages = [messageOf(1), messageOf(2), mine(3, { content: 'Words a' }), messageOf(4)];
  const rows = rowsOf({ ...whole, messages, outgoing: [written('a')] });
  expect(rows.map(({ key }) => key)).toEqual(['m1', 'm2', 'a', 'm4']);
});

test('a message with a lost response has arrived if it is fetched', () => {
  const messages = [messageOf(1), messageOf(2), mine(3, { content: 'Words a' })];
  const rows = rowsOf({ ...whole, messages, outgoing: [written('a', { failure: 'failed' })] });
  expect(rows.map(({ key, state }) => [key, state])).toEqual([
    ['m1', 'read'],
    ['m2', 'read'],
    ['a', 'sent'],
  ]);
});

test('of two equal outgoing messages one has arrived if one is fetched', () => {
  const messages = [messageOf(2), mine(3, { content: 'Hello?' })];
  const failed = written('a', { content: 'Hello?', failure: 'failed' });
  const keysOf = (...outgoing: UnsentMessage[]) =>
    rowsOf({ ...whole, messages, outgoing }).map(({ key }) => key);
  expect(keysOf(failed, { ...failed, key: 'b' })).toEqual(['m2', 'a', 'b']);
  // The failure may be real: the message being sent is the likelier match.
  expect(keysOf(failed, { ...failed, key: 'b', failure: null })).toEqual(['m2', 'b', 'a']);
});

test('a text that the server has normalised is the same text', () => {
  const messages = [messageOf(2), mine(3, { content: 'Jos\u00e9' })];
  expect(rowsOf({ ...whole, messages, outgoing: [written('a', { content: 'Jose\u0301' })] })).toHaveLength(2);
});

test('an equal text that is older, of the other member, or refused is another message', () => {
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
    outgoing: [written('a', { failure: 'refused' })],
  });
  expect(refused).toHaveLength(3);
});
