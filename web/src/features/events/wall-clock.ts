// Converts between instants and local times of a time zone, as a form field writes them (`2026-11-28T14:00`).
import { dates } from '@/i18n/format';

const day = 86_400_000;

/** The time zone of this browser, an IANA name. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The UTC offset of a zone at an instant, in milliseconds. */
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
 * The instant of a local time as RFC 3339 in UTC; null if the text is invalid. A repeated time, at the end of daylight
 * saving time, is the first of the two. A skipped time, at its beginning, is later by the length of the gap: the rule of
 * calendars (RFC 5545) and of JavaScript's Date.
 */
export function instantOf(wallClock: string, timeZone: string): string | null {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wallClock)) return null;
  const shown = Date.parse(`${wallClock}:00Z`);
  // Date.parse rejects overflows, except 24:00 and, in some engines, the 30th of February.
  if (Number.isNaN(shown) || new Date(shown).toISOString().slice(0, 16) !== wallClock) return null;
  // A zone changes its offset at most once in two days: these are the offsets before and after.
  const before = offsetAt(shown - day, timeZone);
  const after = offsetAt(shown + day, timeZone);
  const showing = [shown - before, shown - after].filter((time) => time + offsetAt(time, timeZone) === shown);
  const time = showing.length > 0 ? Math.min(...showing) : shown - before;
  return new Date(time).toISOString();
}

/** The local time at an instant, as a form field takes it; empty for an invalid instant. */
export function wallClockOf(instant: string, timeZone: string): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return '';
  return new Date(time + offsetAt(time, timeZone)).toISOString().slice(0, 16);
}

/** One hour later; empty for an invalid local time. */
export function hourLater(wallClock: string): string {
  const instant = instantOf(wallClock, 'UTC');
  return instant ? wallClockOf(new Date(Date.parse(instant) + day / 24).toISOString(), 'UTC') : '';
}
export function knowsTimeZone(timeZone: string): boolean {
  try {
    dates('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
}
