// Relative times, dates and numbers in both languages.
import { expect, test } from 'vitest';
import { formatDate, relativeTime } from './format';
import { formatNumber } from './format-number';

const now = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['2026-11-20T12:00:30Z', 'now'],
  ['2026-11-20T11:59:30Z', 'now'],
  ['2026-11-20T11:48:00Z', '12 minutes ago'],
  ['2026-11-20T10:00:00Z', '2 hours ago'],
  ['2026-11-19T11:00:00Z', 'yesterday'],
  ['2026-11-17T11:00:00Z', '3 days ago'],
  ['2026-11-05T11:00:00Z', '2 weeks ago'],
  ['2026-03-15T11:00:00Z', '8 months ago'],
  ['2023-01-15T11:00:00Z', '3 years ago'],
  ['no date', ''],
])('%s is %s', (at, expected) => {
  expect(relativeTime('en', at, now)).toBe(expected);
});

test('relative times in Filipino', () => {
  expect(relativeTime('fil', '2026-11-20T10:00:00Z', now)).toBe('2 oras ang nakalipas');
});

test('a missing or bad date is null', () => {
  expect(formatDate('en', null)).toBeNull();
  expect(formatDate('en', 'soon')).toBeNull();
  expect(formatDate('en', '2026-11-19T12:00:00Z')).toBe('Nov 19, 2026');
});

test('numbers are grouped', () => {
  expect(formatNumber('en', 1892)).toBe('1,892');
  expect(formatNumber('fil', 1000)).toBe('1,000');
  expect(formatNumber('en', 999)).toBe('999');
  expect(formatNumber('en', 0)).toBe('0');
  expect(formatNumber('en', -1892.5)).toBe('-1,892.5');
});
