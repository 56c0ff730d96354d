// The time zone of the viewer, and the names of time zones.
import { dates } from './format';

/** The time zone of this browser, an IANA name. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * The abbreviation of a zone at that instant: 'EST', 'PHT', 'GMT+1'. The same in both languages: CLDR has no Filipino
 * abbreviations, and for Manila none at all.
 */
export function zoneName(at: string, timeZone = browserTimeZone()): string {
  if (timeZone === 'Asia/Manila') return 'PHT';
  const parts = dates('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(Date.parse(at));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
