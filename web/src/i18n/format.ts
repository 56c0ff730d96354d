// Dates, relative times, lists and sizes in the language of the screen, with Intl.
import { cached } from './format-number';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Dates with these options; without a zone, in the time zone of the viewer. */
export const dates = cached((language, options) => new Intl.DateTimeFormat(language, options));
/** "yesterday", "2 days ago". */
export const relativeTimes = cached((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));

const lists = cached((language) => new Intl.ListFormat(language));

/** "Ana, Ben, and Carl". */
export const listOf = (language: string, names: string[]): string => lists(language).format(names);

/** "2 hours ago", "yesterday", "now". `at` is an ISO instant; one in the future, from clock skew, is "now". */
export function relativeTime(language: string, at: string, now = Date.now()): string {
  const seconds = Math.min(0, (Date.parse(at) - now) / 1000);
  if (Number.isNaN(seconds)) return '';
  const format = relativeTimes(language);
  for (const [unit, length] of units) {
    if (-seconds >= length) return format.format(Math.ceil(seconds / length), unit);
  }
  return format.format(0, 'second');
}

/** Null for a missing or invalid date, so that the screen can show a replacement. */
export function formatDate(
  language: string,
  at: string | null | undefined,
  options: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' },
): string | null {
  const time = at ? Date.parse(at) : Number.NaN;
  return Number.isNaN(time) ? null : dates(language, options).format(time);
}

/** '340 kB', '1.2 MB': whole below a megabyte, then with one decimal. */
export function formatFileSize(language: string, bytes: number): string {
  const large = bytes >= 999_500;
  const value = large ? bytes / 1_000_000 : Math.max(1, Math.round(bytes / 1_000));
  const unit = large ? 'megabyte' : 'kilobyte';
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
