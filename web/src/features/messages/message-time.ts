// Formats the time of a message: short for a list, as a day between messages, and as a time inside a bubble.
import { dates, daysBetween, relativeTimes } from '@/i18n/format';

/** '9:44 AM' today, 'Yesterday', 'Wed' within the week, then 'Nov 12', with the year if it is another one. */
export function messageTime(language: string, at: string | null, now = new Date()): string {
  const sent = new Date(at ?? Number.NaN);
  if (Number.isNaN(sent.getTime())) return '';
  const days = daysBetween(sent, now);
  if (days <= 0) return clockTime(language, sent);
  return days === 1 ? relativeDay(language, days) : date(language, sent, now, 'short');
}

/** 'Today', 'Yesterday', 'Wednesday' within the week, then 'November 12', with the year if it is another one. */
export function dayName(language: string, at: string, now = new Date()): string {
  const sent = new Date(at);
  const days = daysBetween(sent, now);
  return days <= 1 ? relativeDay(language, Math.max(0, days)) : date(language, sent, now, 'long');
}

/** '9:44 AM'. */
export function clockTime(language: string, at: Date): string {
  return dates(language, { hour: 'numeric', minute: '2-digit' }).format(at);
}

/** Whether two instants are on the same day in the viewer's time zone. */
export function onOneDay(one: string, other: string): boolean {
  return daysBetween(new Date(one), new Date(other)) === 0;
}

function date(language: string, sent: Date, now: Date, length: 'short' | 'long'): string {
  const sameYear = sent.getFullYear() === now.getFullYear();
  const options: Intl.DateTimeFormatOptions =
    daysBetween(sent, now) < 7
      ? { weekday: length }
      : { month: length, day: 'numeric', year: sameYear ? undefined : 'numeric' };
  return dates(language, options).format(sent);
}

function relativeDay(language: string, days: number): string {
  return capitalised(relativeTimes(language).format(-days, 'day'));
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
