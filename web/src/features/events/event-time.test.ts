// Times of events in their time zone.
import { afterEach, expect, test } from 'vitest';
import { eventOf } from '@/testing/events';
import { clockTime, isOver, otherZone, startTime, whenIn, zoneOf } from './event-time';

const event = eventOf({ startDate: '2026-11-28T06:00:00Z', endDate: '2026-11-28T09:30:00Z' });
/** With ordinary spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

const zoneOfMachine = process.env.TZ;
afterEach(() => {
  if (zoneOfMachine === undefined) delete process.env.TZ;
  else process.env.TZ = zoneOfMachine;
});

test("times are 'h:mm a' in the given zone", () => {
  expect(clockTime('2026-11-28T06:00:00Z', 'Asia/Manila')).toBe('2:00\u00a0PM');
  expect(plain(clockTime('2026-11-28T05:05:00Z', 'America/New_York'))).toBe('12:05 AM');
  expect(clockTime('soon', 'UTC')).toBe('');
});

test.each([
  ['Asia/Manila', 'Asia/Manila', 'en', '2:00 PM'],
  // The same clock by another name.
  ['Asia/Singapore', 'Asia/Manila', 'en', '2:00 PM'],
  ['America/New_York', 'Asia/Manila', 'en', '1:00 AM EST (2:00 PM PHT)'],
  ['Asia/Manila', 'America/New_York', 'fil', '2:00 PM PHT (1:00 AM EST)'],
  ['Asia/Manila', 'America/Los_Angeles', 'en', '2:00 PM PHT (Nov 27, 10:00 PM PST)'],
  ['Asia/Manila', 'America/Los_Angeles', 'fil', '2:00 PM PHT (Nob 27, 10:00 PM PST)'],
  ['Asia/Manila', 'Mars/Olympus_Mons', 'en', '2:00 PM PHT (6:00 AM UTC)'],
])('in %s the start of an event in %s is, in %s, %s', (viewer, timeZone, language, expected) => {
  process.env.TZ = viewer;
  expect(plain(startTime(language, { ...event, timeZone }))).toBe(expected);
});

test('an event of one day shows the day once', () => {
  expect(whenIn('en', event, 'Asia/Manila')).toEqual({
    startDay: 'Saturday, November 28, 2026',
    start: '2:00\u00a0PM',
    endDay: null,
    end: '5:30\u00a0PM',
  });
});

test('in another zone the same event may end on another day', () => {
  expect(whenIn('en', { ...event, endDate: '2026-11-28T12:00:00Z' }, 'Pacific/Auckland')).toMatchObject({
    startDay: 'Saturday, November 28, 2026',
    start: '7:00\u00a0PM',
    endDay: 'Sunday, November 29, 2026',
    end: '1:00\u00a0AM',
  });
});

test('a zone with the same offset shows no second time', () => {
  process.env.TZ = 'Asia/Singapore';
  expect(otherZone(event)).toBeNull();
  process.env.TZ = 'Asia/Tokyo';
  expect(otherZone(event)).toBe('Asia/Manila');
});

test('an unknown zone is shown as UTC', () => {
  expect(zoneOf({ timeZone: 'Mars/Olympus_Mons' })).toBe('UTC');
  expect(zoneOf(event)).toBe('Asia/Manila');
});

test('an event is over at its end', () => {
  expect(isOver({ ...event, endDate: new Date(Date.now() - 1_000).toISOString() })).toBe(true);
  expect(isOver({ ...event, endDate: new Date(Date.now() + 60_000).toISOString() })).toBe(false);
});
