// Relative times, dates and numbers in both languages.
import { afterEach, expect, test, vi } from 'vitest';
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

type Local = [year: number, month: number, day: number, hours: number, minutes: number];

const local = (...at: Local) => {
  const [year, month, day, hours, minutes] = at;
  return new Date(year, month - 1, day, hours, minutes);
};

/** Seen at the second time, both in the zone of the viewer. */
test.each<[Local, Local, string]>([
  // Hours while a day has not passed, then calendar days.
  [[2026, 11, 29, 23, 30], [2026, 11, 30, 0, 46], '1 hour ago'],
  [[2026, 11, 29, 1, 46], [2026, 11, 30, 0, 46], '23 hours ago'],
  [[2026, 11, 29, 1, 46], [2026, 11, 30, 2, 46], 'yesterday'],
  [[2026, 11, 29, 1, 46], [2026, 11, 30, 23, 59], 'yesterday'],
  [[2026, 11, 29, 1, 46], [2026, 12, 1, 0, 46], '2 days ago'],
  [[2026, 11, 29, 23, 59], [2026, 12, 1, 0, 0], '2 days ago'],
  [[2026, 11, 23, 12, 0], [2026, 11, 29, 12, 0], '6 days ago'],
  // Last week is the week before, from Monday to Sunday.
  [[2026, 11, 22, 12, 0], [2026, 11, 29, 12, 0], 'last week'],
  [[2026, 11, 16, 12, 0], [2026, 11, 29, 12, 0], 'last week'],
  [[2026, 11, 29, 12, 0], [2026, 12, 7, 12, 0], '8 days ago'],
  [[2026, 11, 29, 12, 0], [2026, 12, 12, 12, 0], '2 weeks ago'],
  [[2026, 11, 1, 12, 0], [2026, 11, 29, 12, 0], '4 weeks ago'],
  [[2026, 11, 3, 12, 0], [2026, 11, 29, 12, 0], '4 weeks ago'],
  // Last month is the month before.
  [[2026, 11, 1, 12, 0], [2026, 12, 1, 12, 0], 'last month'],
  [[2026, 11, 1, 12, 0], [2026, 12, 31, 12, 0], 'last month'],
  [[2026, 1, 31, 12, 0], [2026, 3, 2, 12, 0], '4 weeks ago'],
  [[2026, 11, 29, 12, 0], [2027, 1, 27, 12, 0], '2 months ago'],
  [[2026, 12, 15, 12, 0], [2027, 1, 31, 12, 0], 'last month'],
  [[2026, 5, 29, 12, 0], [2027, 1, 27, 12, 0], '8 months ago'],
  // Last year is the year before.
  [[2026, 12, 31, 12, 0], [2027, 1, 1, 13, 0], 'yesterday'],
  [[2026, 1, 15, 12, 0], [2026, 12, 31, 12, 0], '11 months ago'],
  [[2025, 12, 15, 12, 0], [2026, 12, 20, 12, 0], 'last year'],
  [[2025, 1, 1, 12, 0], [2026, 12, 31, 12, 0], 'last year'],
  [[2024, 12, 15, 12, 0], [2026, 1, 20, 12, 0], '13 months ago'],
  [[2024, 6, 15, 12, 0], [2026, 6, 20, 12, 0], '2 years ago'],
])('%j seen at %j is %s', (at, seen, expected) => {
  expect(relativeTime('en', local(...at).toISOString(), local(...seen).getTime())).toBe(expected);
});

test('words of the calendar exist in Filipino', () => {
  const at = local(2026, 11, 29, 1, 46).toISOString();
  const text = (...seen: Parameters<typeof local>) => relativeTime('fil', at, local(...seen).getTime());
  expect(text(2026, 11, 30, 23, 0)).toBe('kahapon');
  expect(text(2026, 12, 1, 0, 46)).toBe('Araw bago ang kahapon');
  expect(text(2026, 12, 2, 0, 46)).toBe('3 araw ang nakalipas');
  expect(text(2026, 12, 6, 12, 0)).toBe('nakalipas na linggo');
  expect(text(2026, 12, 31, 12, 0)).toBe('nakaraang buwan');
});

test('relative times in Filipino', () => {
  expect(relativeTime('fil', '2026-11-20T10:00:00Z', now)).toBe('2 oras ang nakalipas');
});

test('a missing or bad date is null', () => {
  expect(formatDate('en', null)).toBeNull();
  expect(formatDate('en', 'soon')).toBeNull();
  expect(formatDate('en', '2026-11-19T12:00:00Z')).toBe('Nov 19, 2026');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The modules in a browser of this zone: formatters are cached with the zone of their first use. */
async function formatIn(zone: string) {
  vi.stubEnv('TZ', zone);
  vi.resetModules();
  return { ...(await import('./format')), ...(await import('./format-deadline')) };
}

test.each(['Pacific/Pago_Pago', 'America/Los_Angeles', 'UTC', 'Asia/Manila', 'Pacific/Kiritimati'])(
  'a date is that date in %s',
  async (zone) => {
    const { formatDate, formatDeadline } = await formatIn(zone);
    expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    expect(formatDate('en', '2026-12-01')).toBe('Dec 1, 2026');
    expect(formatDeadline('en', '2026-12-01')).toBe('Dec 1, 2026');
    expect(formatDate('en', '2026-12-01', { dateStyle: 'long', timeStyle: 'short' })).toBe(
      'December 1, 2026',
    );
    expect(formatDate('en', '2026-13-01')).toBeNull();
  },
);

test.each([
  ['Asia/Manila', '2026-12-01T23:59:59-08:00', 'Dec 2, 2026, 3:59 PM GMT+8'],
  ['Asia/Manila', '2026-12-01T23:59:59+08:00', 'Dec 1, 2026'],
  ['America/Los_Angeles', '2026-12-01T23:59:59-08:00', 'Dec 1, 2026'],
  ['America/Los_Angeles', '2026-12-02T07:59:59Z', 'Dec 1, 2026, 11:59 PM PST'],
  ['America/Los_Angeles', 'soon', null],
  ['UTC', '2026-12-02T07:59:59Z', 'Dec 2, 2026'],
])('in %s a deadline at %s is %s', async (zone, at, expected) => {
  const { formatDeadline } = await formatIn(zone);
  expect(formatDeadline('en', at)?.replaceAll('\u202f', ' ') ?? null).toBe(expected);
});

test('numbers are grouped', () => {
  expect(formatNumber('en', 1892)).toBe('1,892');
  expect(formatNumber('fil', 1000)).toBe('1,000');
  expect(formatNumber('en', 999)).toBe('999');
  expect(formatNumber('en', 0)).toBe('0');
  expect(formatNumber('en', -1892.5)).toBe('-1,892.5');
});
