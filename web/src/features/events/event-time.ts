// When an event is, by the clocks of its own zone and by those of the viewer.
import type { Event } from '@/api/types';
import { dates, formatDate } from '@/i18n/format';
import { browserTimeZone, knowsTimeZone } from './wall-clock';

/** The zone to show times in; UTC for one this browser has never heard of. */
export function zoneOf({ timeZone }: Pick<Event, 'timeZone'>): string {
  return knowsTimeZone(timeZone) ? timeZone : 'UTC';
}

/** 'h:mm a' (specification, section 2), in every language. */
export function clockTime(at: string, timeZone: string): string {
  const time = formatDate('en-US', at, { hour: 'numeric', minute: '2-digit', timeZone });
  // Between the minutes and AM or PM some engines put a narrow space.
  return (time ?? '').replace('\u202f', ' ');
}

/** The zone at that moment, as in `GMT+8` or `Philippine Standard Time`. */
export function zoneName(language: string, at: string, timeZone: string, style: 'short' | 'long'): string {
  const parts = dates(language, { timeZone, timeZoneName: style }).formatToParts(Date.parse(at));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

export interface When {
  startDay: string;
  start: string;
  /** Null when it ends on the day it starts. */
  endDay: string | null;
  end: string;
}

/** From when to when, in words of the language, by the clocks of a zone. */
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

/** The time zone of the viewer; null when its clocks show the same as the event's. */
export function otherZone(event: Event): string | null {
  const mine = browserTimeZone();
  const shows = (timeZone: string) => JSON.stringify(whenIn('en-US', event, timeZone));
  return shows(mine) === shows(zoneOf(event)) ? null : mine;
}

export function isOver({ endDate }: Event): boolean {
  return Date.parse(endDate) <= Date.now();
}
