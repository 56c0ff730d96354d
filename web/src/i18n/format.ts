// Numbers, dates and "time ago" in the language of the screen, by Intl alone.

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "2 hours ago", "yesterday", "now". `at` is an ISO instant; one in the future by clock skew reads as now. */
export function relativeTime(language: string, at: string, now = Date.now()): string {
  const seconds = Math.min(0, (Date.parse(at) - now) / 1000);
  if (Number.isNaN(seconds)) return '';
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of units) {
    if (-seconds >= length) return format.format(Math.ceil(seconds / length), unit);
  }
  return format.format(0, 'second');
}

export function formatNumber(language: string, value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** Null for a missing or bad date, so that the screen can say so. */
export function formatDate(
  language: string,
  at: string | null | undefined,
  options: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' },
): string | null {
  const time = at ? Date.parse(at) : Number.NaN;
  return Number.isNaN(time) ? null : new Intl.DateTimeFormat(language, options).format(time);
}
