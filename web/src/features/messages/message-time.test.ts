// How the time of a last message is shortened, in both languages and across midnight.
import { expect, test } from 'vitest';
import { messageTime } from './message-time';

const now = new Date(2026, 10, 20, 14, 30);

test.each([
  ['today', new Date(2026, 10, 20, 9, 44), '9:44 AM'],
  ['a little in the future, by clock skew', new Date(2026, 10, 20, 14, 31), '2:31 PM'],
  ['a minute before midnight', new Date(2026, 10, 19, 23, 59), 'Yesterday'],
  ['six days ago', new Date(2026, 10, 14, 8, 0), 'Sat'],
  ['seven days ago', new Date(2026, 10, 13, 8, 0), 'Nov 13'],
  ['another year', new Date(2025, 11, 31, 8, 0), 'Dec 31, 2025'],
])('%s', (_, at, said) => {
  expect(messageTime('en', at.toISOString(), now).replace('\u202f', ' ')).toBe(said);
});

test('says yesterday in Filipino', () => {
  expect(messageTime('fil', new Date(2026, 10, 19, 9, 0).toISOString(), now)).toBe('Kahapon');
});

test.each([null, '', 'not a date'])('says nothing for %j', (at) => {
  expect(messageTime('en', at, now)).toBe('');
});
