// The names of time zones.
import { expect, test } from 'vitest';
import { zoneName } from './time-zone';

test.each([
  ['2026-11-28T06:00:00Z', 'Asia/Manila', 'PHT'],
  ['2026-11-28T06:00:00Z', 'America/New_York', 'EST'],
  ['2026-07-28T06:00:00Z', 'America/New_York', 'EDT'],
  ['2026-11-28T06:00:00Z', 'Europe/Berlin', 'GMT+1'],
  ['2026-11-28T06:00:00Z', 'UTC', 'UTC'],
])('at %s the zone of %s is %s', (at, timeZone, expected) => {
  expect(zoneName(at, timeZone)).toBe(expected);
});
