// Dates, relative times, lists and sizes in the language of the screen, with Intl.
import { cached } from './format-number';

/** Dates with these options; without a zone, in the time zone of the viewer. */
export const dates = cached((language, options) => new Intl.DateTimeFormat(language, options));
/** "yesterday", "2 days ago". */
export const relativeTimes = cached((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));

const lists = cached((language) => new Intl.ListFormat(language));

/** "Ana, Ben, and Carl". */
export const listOf = (language: string, names: string[]): string => lists(language).format(names);

/**
 * "2 hours ago", "yesterday", "last month", "now". `at` is an ISO instant; one in the future, from clock skew, is "now". Words such as
 * "yesterday" follow the calendar of the viewer's time zone, numbers the elapsed time.
 */
export function relativeTime(language: string, at: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1000);
  if (Number.isNaN(seconds)) return '';
  const [count, unit] = elapsed(seconds, new Date(at), new Date(now));
  return relativeTimes(language).format(-count, unit);
}

/** A number of one, with its word, stands for the calendar unit before the present one only. */
function elapsed(seconds: number, at: Date, now: Date): [number, Intl.RelativeTimeFormatUnit] {
  if (seconds < 60) return [0, 'second'];
  if (seconds < 3_600) return [Math.floor(seconds / 60), 'minute'];
  const days = daysBetween(at, now);
  // A day may have 25 hours.
  if (seconds < 86_400 || days < 1) return [Math.floor(seconds / 3_600), 'hour'];
  if (days < 7) return [days, 'day'];
  for (const [unit, length, least, before] of [
    ['year', 365.25, 365, now.getFullYear() - at.getFullYear()],
    ['month', 30.44, 28, monthOf(now) - monthOf(at)],
    ['week', 7, 7, weekOf(now) - weekOf(at)],
  ] as const) {
    if (days >= least && before === 1) return [1, unit];
    const count = unit === 'year' ? Math.floor(days / length) : Math.round(days / length);
    if (count > 1) return [count, unit];
  }
  return [days, 'day'];
}

const monthOf = (date: Date) => date.getFullYear() * 12 + date.getMonth();

/** Weeks begin on Monday (ISO 8601), as did 5 January 1970. */
const weekOf = (date: Date) => Math.floor(daysBetween(new Date(1970, 0, 5), date) / 7);

/** The number of midnights between two instants in the viewer's time zone; rounded because a day may have 23 hours. */
export function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((midnight(to) - midnight(from)) / 86_400_000);
}

export const shortDate = { year: 'numeric', month: 'short', day: 'numeric' } as const;

/**
 * A time in the zone of the viewer, or a date such as '2026-12-01', which is that date in every zone. Null for a missing or
 * invalid one, so that the screen can show a replacement.
 */
export function formatDate(
  language: string,
  at: string | null | undefined,
  options: Intl.DateTimeFormatOptions = shortDate,
): string | null {
  const time = at ? Date.parse(at) : Number.NaN;
  if (!at || Number.isNaN(time)) return null;
  if (!isDate(at)) return dates(language, options).format(time);
  const { timeStyle, ...day } = options;
  return dates(language, { ...day, timeZone: 'UTC' }).format(time);
}

/** Without a time of day. */
export const isDate = (at: string) => /^\d{4}-\d{2}-\d{2}$/.test(at);

/** '340 kB', '1.2 MB': whole below a megabyte, then with one decimal. */
export function formatFileSize(language: string, bytes: number): string {
  const large = bytes >= 999_500;
  const value = large ? bytes / 1_000_000 : Math.max(1, Math.round(bytes / 1_000));
  const unit = large ? 'megabyte' : 'kilobyte';
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
