// Local times and instants, with skipped and repeated hours of daylight saving time.
import { expect, test } from 'vitest';
import { instantOf, knowsTimeZone, wallClockOf } from './wall-clock';

test.each([
  ['Asia/Manila', '2026-11-28T14:00', '2026-11-28T06:00:00.000Z'],
  ['America/New_York', '2026-11-28T14:00', '2026-11-28T19:00:00.000Z'],
  ['America/New_York', '2026-07-04T14:00', '2026-07-04T18:00:00.000Z'],
  ['UTC', '2026-01-01T00:00', '2026-01-01T00:00:00.000Z'],
  ['Asia/Kathmandu', '2026-01-01T00:00', '2025-12-31T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01T00:00', '2025-12-31T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2025-12-31T23:30', '2026-01-01T10:30:00.000Z'],
  ['Europe/London', '2028-02-29T09:05', '2028-02-29T09:05:00.000Z'],
])('in %s, %s is %s and back', (zone, wallClock, instant) => {
  expect(instantOf(wallClock, zone)).toBe(instant);
  expect(wallClockOf(instant, zone)).toBe(wallClock);
});

test.each([
  // Clocks jump from 2:00 to 3:00: 2:30 would be shown as 3:30.
  ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30:00.000Z', '2027-03-14T03:30'],
  ['Europe/Berlin', '2027-03-28T02:00', '2027-03-28T01:00:00.000Z', '2027-03-28T03:00'],
  // A shift of half an hour.
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z', '2026-10-04T02:45'],
  // Clocks jump at midnight: the day begins at 1:00.
  ['Africa/Cairo', '2026-04-24T00:30', '2026-04-23T22:30:00.000Z', '2026-04-24T01:30'],
])('%s skips %s, so it is %s', (zone, wallClock, instant, shown) => {
  expect(instantOf(wallClock, zone)).toBe(instant);
  expect(wallClockOf(instant, zone)).toBe(shown);
});

test.each([
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T14:45:00.000Z'],
])('%s has %s twice, and %s is the first', (zone, wallClock, instant) => {
  expect(instantOf(wallClock, zone)).toBe(instant);
});

test.each([
  ['America/New_York', '2027-03-14T01:59', '2027-03-14T06:59:00.000Z'],
  ['America/New_York', '2027-03-14T03:00', '2027-03-14T07:00:00.000Z'],
  ['America/New_York', '2026-11-01T00:59', '2026-11-01T04:59:00.000Z'],
  ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00:00.000Z'],
])('before and after a change %s is exact at %s', (zone, wallClock, instant) => {
  expect(instantOf(wallClock, zone)).toBe(instant);
});

test('every quarter of an hour around both changes converts back, except skipped ones', () => {
  const zone = 'America/New_York';
  const wrong: string[] = [];
  for (const change of ['2026-03-08', '2026-11-01']) {
    const from = Date.parse(`${change}T00:00Z`) - 86_400_000;
    for (let time = from; time < from + 3 * 86_400_000; time += 900_000) {
      const wallClock = new Date(time).toISOString().slice(0, 16);
      const instant = instantOf(wallClock, zone);
      if (!instant || wallClockOf(instant, zone) !== wallClock) wrong.push(wallClock);
    }
  }
  expect(wrong).toEqual(['2026-03-08T02:00', '2026-03-08T02:15', '2026-03-08T02:30', '2026-03-08T02:45']);
});

test.each([
  '',
  'tomorrow',
  '2026-11-28',
  '2026-02-30T10:00',
  '2026-13-01T10:00',
  '2026-11-28T25:00',
  '12026-11-28T14:00',
  '0000-01-01T00:00',
])('%j is an invalid local time', (text) => {
  expect(instantOf(text, 'UTC')).toBeNull();
});

test('an invalid instant or zone is detected', () => {
  expect(wallClockOf('soon', 'UTC')).toBe('');
  expect(knowsTimeZone('Asia/Manila')).toBe(true);
  expect(knowsTimeZone('Mars/Olympus_Mons')).toBe(false);
});
