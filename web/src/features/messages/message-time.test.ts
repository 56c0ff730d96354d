// Times in the list and between messages, in both languages and across midnight.
import { expect, test } from 'vitest';
import { dayName, messageTime, onOneDay } from './message-time';

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

test('yesterday in Filipino', () => {
  expect(messageTime('fil', new Date(2026, 10, 19, 9, 0).toISOString(), now)).toBe('Kahapon');
});

test.each([null, '', 'not a date'])('is empty for %j', (at) => {
  expect(messageTime('en', at, now)).toBe('');
});

test.each([
  ['today', new Date(2026, 10, 20, 0, 0), 'Today'],
  ['by a clock that is ahead', new Date(2026, 10, 21, 0, 1), 'Today'],
  ['yesterday', new Date(2026, 10, 19, 23, 59), 'Yesterday'],
  ['six days ago', new Date(2026, 10, 14, 8, 0), 'Saturday'],
  ['seven days ago', new Date(2026, 10, 13, 8, 0), 'November 13'],
  ['another year', new Date(2025, 11, 31, 8, 0), 'December 31, 2025'],
])('the day between messages: %s', (_, at, said) => {
  expect(dayName('en', at.toISOString(), now)).toBe(said);
});

test('the days between messages in Filipino', () => {
  expect(dayName('fil', now.toISOString(), now)).toBe('Ngayong araw');
  expect(dayName('fil', new Date(2026, 10, 14).toISOString(), now)).toBe('Sabado');
});

test('midnight separates two days', () => {
  const [late, early] = [new Date(2026, 10, 19, 23, 59), new Date(2026, 10, 20, 0, 0)];
  expect(onOneDay(late.toISOString(), early.toISOString())).toBe(false);
  expect(onOneDay(early.toISOString(), now.toISOString())).toBe(true);
});
