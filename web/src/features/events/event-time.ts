// The time of an event in its own time zone and in the viewer's.
import type { Event } from '@/api/schema.gen';
import { dates, formatDate } from '@/i18n/format';
import { browserTimeZone, knowsTimeZone } from './wall-clock';

/** The zone to show times in; UTC if this browser does not know the event's zone. */
export function zoneOf({ timeZone }: Pick<Event, 'timeZone'>): string {
  return knowsTimeZone(timeZone) ? timeZone : 'UTC';
}

/** 'h:mm a' (specification, section 2), in every language. */
export function clockTime(at: string, timeZone: string): string {
  const time = formatDate('en-US', at, { hour: 'numeric', minute: '2-digit', timeZone });
  // Some engines put a narrow space before AM or PM.
  return (time ?? '').replace('\u202f', ' ');
}

/** The zone at that instant, for example `GMT+8` or `Philippine Standard Time`. */
export function zoneName(language: string, at: string, timeZone: string, style: 'short' | 'long'): string {
  const parts = dates(language, { timeZone, timeZoneName: style }).formatToParts(Date.parse(at));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

export interface When {
  startDay: string;
  start: string;
  /** Null if it ends on the day it starts. */
  endDay: string | null;
  end: string;
}

/** Start and end in the given language and time zone. */
export function whenIn(language: string, { startDate, endDate }: Event, timeZone: string): When {
  const day = (at: string) => formatDate(language, at, { dateStyle: 'full', timeZone }) ?? '';
  const [startDay, endDay] = [day(startDate), day(endDate)];
  return {
    startDay,
    start: clockTime(startDate, timeZone),
    endDay: endDay === startDay ? null : endDay,
    end: clockTime(endDate, timeZone),
  };
}

/** Returns the viewer's time zone; null if the event has the same local times in both zones. */
export function otherZone(event: Event): string | null {
  const mine = browserTimeZone();
  const shows = (timeZone: string) => JSON.stringify(whenIn('en-US', event, timeZone));
  return shows(mine) === shows(zoneOf(event)) ? null : mine;
}

export function isOver({ endDate }: Event): boolean {
  return Date.parse(endDate) <= Date.now();
}
