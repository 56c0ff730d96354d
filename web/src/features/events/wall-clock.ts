// Between an instant and what the clocks of a time zone show, as a form field writes it (`2026-11-28T14:00`).
import { dates } from '@/i18n/format';

const day = 86_400_000;

/** The zone of this browser, an IANA name. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const parts = dates('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((p) => p.type === type)?.value);
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return shown - Math.floor(time / 1000) * 1000;
}

/**
 * The instant at which the clocks of a zone show this, as RFC 3339 in UTC; null when it is no date and time. What they
 * show twice, when summer time ends, is the first of the two; what they skip, when it begins, is as much later as they
 * skip: the rule of calendars (RFC 5545) and of JavaScript's own dates.
 */
export function instantOf(wallClock: string, timeZone: string): string | null {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wallClock)) return null;
  const shown = Date.parse(`${wallClock}:00Z`);
  // Date.parse rolls nothing over, except 24:00 and, in some engines, the 30th of February.
  if (Number.isNaN(shown) || new Date(shown).toISOString().slice(0, 16) !== wallClock) return null;
  // Zones change their clocks at most once in two days: these are the offsets before and after.
  const before = offsetAt(shown - day, timeZone);
  const after = offsetAt(shown + day, timeZone);
  const showing = [shown - before, shown - after].filter((time) => time + offsetAt(time, timeZone) === shown);
  const time = showing.length > 0 ? Math.min(...showing) : shown - before;
  return new Date(time).toISOString();
}

/** What the clocks of a zone show at an instant, as a form field takes it; empty for what is no instant. */
export function wallClockOf(instant: string, timeZone: string): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return '';
  return new Date(time + offsetAt(time, timeZone)).toISOString().slice(0, 16);
}

/** An hour later on the same clocks; empty for what is no wall clock. */
export function hourLater(wallClock: string): string {
  const instant = instantOf(wallClock, 'UTC');
  return instant ? wallClockOf(new Date(Date.parse(instant) + day / 24).toISOString(), 'UTC') : '';
}

/** Whether a zone is one this browser knows. */
export function knowsTimeZone(timeZone: string): boolean {
  try {
    dates('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
}
