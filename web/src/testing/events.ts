// Test data: events as the gateway serves them.
import type { EventDetails } from '@/api/schema.gen';
import { priya } from './posts';

const day = 86_400_000;

/** An instant in `days` days at 06:00 UTC, which is 14:00 in Manila. */
export function inDays(days: number, hours = 0): string {
  const date = new Date(Date.now() + days * day).toISOString().slice(0, 10);
  return new Date(Date.parse(`${date}T06:00:00Z`) + hours * 3_600_000).toISOString();
}

export function eventOf(changes: Partial<EventDetails> = {}): EventDetails {
  return {
    id: '019a0000-0000-7000-8000-0000000000e1',
    title: 'Moot court finals',
    location: 'Main Courtroom',
    description: 'Come and heckle politely.\nDoors open at one.',
    startDate: inDays(7),
    endDate: inDays(7, 3),
    timeZone: 'Asia/Manila',
    attendeeCount: 25,
    attendees: [],
    attending: false,
    organiser: priya,
    ...changes,
  };
}
