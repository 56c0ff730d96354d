// The time of an event in the viewer's time zone and in the one its organiser chose.
import type { Event } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { browserTimeZone, zoneName } from '@/i18n/time-zone';
import { knowsTimeZone } from './wall-clock';

/** The zone of the organiser; UTC if this browser does not know it. */
export function zoneOf({ timeZone }: Pick<Event, 'timeZone'>): string {
  return knowsTimeZone(timeZone) ? timeZone : 'UTC';
}

/** 'h:mm a' (specification, section 2), in every language. */
export function clockTime(at: string, timeZone: string): string {
  const time = formatDate('en-US', at, { hour: 'numeric', minute: '2-digit', timeZone });
  // Some engines put a narrow space before AM or PM. A line does not end there.
  return (time ?? '').replace(/[ \u202f]/, '\u00a0');
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

/** Returns the organiser's time zone; null if the event has the same local times in the viewer's. */
export function otherZone(event: Event): string | null {
  const zone = zoneOf(event);
  const shows = (timeZone: string) => JSON.stringify(whenIn('en-US', event, timeZone));
  return shows(browserTimeZone()) === shows(zone) ? null : zone;
}

/**
 * The start on the viewer's clock, and on the organiser's if it differs: '7:00 AM PHT (Dec 3, 6:00 PM EST)'. The day stands
 * beside it, for example in a `DateBlock`; the organiser's is named if it is another one.
 */
export function startTime(language: string, event: Event): string {
  const { startDate } = event;
  const [mine, other] = [browserTimeZone(), otherZone(event)];
  if (!other) return clockTime(startDate, mine);
  const day = (timeZone: string) =>
    formatDate(language, startDate, { month: 'short', day: 'numeric', timeZone });
  const time = (timeZone: string) =>
    `${clockTime(startDate, timeZone)}\u00a0${zoneName(startDate, timeZone)}`;
  return `${time(mine)} (${day(other) === day(mine) ? '' : `${day(other)}, `}${time(other)})`;
}

export function isOver({ endDate }: Event): boolean {
  return Date.parse(endDate) <= Date.now();
}
