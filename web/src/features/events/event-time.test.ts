// Times of events in their time zone.
import { afterEach, expect, test } from 'vitest';
import { eventOf } from '@/testing/events';
import { clockTime, isOver, otherZone, whenIn, zoneName, zoneOf } from './event-time';

const event = eventOf({ startDate: '2026-11-28T06:00:00Z', endDate: '2026-11-28T09:30:00Z' });
const zoneOfMachine = process.env.TZ;
afterEach(() => {
  if (zoneOfMachine === undefined) delete process.env.TZ;
  else process.env.TZ = zoneOfMachine;
});

test("times are 'h:mm a' in the given zone", () => {
  expect(clockTime('2026-11-28T06:00:00Z', 'Asia/Manila')).toBe('2:00 PM');
  expect(clockTime('2026-11-28T05:05:00Z', 'America/New_York')).toBe('12:05 AM');
  expect(clockTime('soon', 'UTC')).toBe('');
});

test('the zone name is in the given language', () => {
  expect(zoneName('en', event.startDate, 'Asia/Manila', 'long')).toBe('Philippine Standard Time');
  expect(zoneName('fil', event.startDate, 'Asia/Manila', 'long')).toBe('Standard na Oras sa Pilipinas');
  expect(zoneName('en', event.startDate, 'Asia/Manila', 'short')).toBe('GMT+8');
  expect(zoneName('en', event.startDate, 'America/New_York', 'short')).toBe('EST');
});

test('an event of one day shows the day once', () => {
  expect(whenIn('en', event, 'Asia/Manila')).toEqual({
    startDay: 'Saturday, November 28, 2026',
    start: '2:00 PM',
    endDay: null,
    end: '5:30 PM',
  });
});

test('in another zone the same event may end on another day', () => {
  expect(whenIn('en', { ...event, endDate: '2026-11-28T12:00:00Z' }, 'Pacific/Auckland')).toMatchObject({
    startDay: 'Saturday, November 28, 2026',
    start: '7:00 PM',
    endDay: 'Sunday, November 29, 2026',
    end: '1:00 AM',
  });
});

test('a zone with the same offset shows no second time', () => {
  process.env.TZ = 'Asia/Singapore';
  expect(otherZone(event)).toBeNull();
  process.env.TZ = 'Asia/Tokyo';
  expect(otherZone(event)).toBe('Asia/Tokyo');
});

test('an unknown zone is shown as UTC', () => {
  expect(zoneOf({ timeZone: 'Mars/Olympus_Mons' })).toBe('UTC');
  expect(zoneOf(event)).toBe('Asia/Manila');
});

test('an event is over at its end', () => {
  expect(isOver({ ...event, endDate: new Date(Date.now() - 1_000).toISOString() })).toBe(true);
  expect(isOver({ ...event, endDate: new Date(Date.now() + 60_000).toISOString() })).toBe(false);
});
