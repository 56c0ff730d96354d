// The event form: schema, initial values, and the request body.
import * as z from 'zod/mini';
import { limits } from '@/api/limits.gen';
import type { EventDetails, CreateEvent as NewEvent } from '@/api/schema.gen';
import { atMost } from '@/i18n/form-texts';
import { zoneOf } from './event-time';
import { browserTimeZone, instantOf, wallClockOf } from './wall-clock';

const limit = limits.CreateEvent;
const text = (maximum: number) => z.string().check(z.trim(), atMost(maximum));

/** A local date and time in the zone of the event. */
const wallClock = (missing: string) =>
  z.string().check(
    z.minLength(1, missing),
    z.refine((value) => value === '' || instantOf(value, 'UTC') !== null, {
      error: 'events:form.dateInvalid',
    }),
  );

export const eventSchema = z
  .object({
    title: z.string().check(z.trim(), z.minLength(1, 'events:form.titleMissing'), atMost(limit.title.max)),
    startDate: wallClock('events:form.startMissing'),
    endDate: wallClock('events:form.endMissing'),
    timeZone: z.string(),
    location: text(limit.location.max),
    description: text(limit.description.max),
  })
  .check(
    z.refine(
      ({ startDate, endDate, timeZone }) => {
        const [start, end] = [instantOf(startDate, timeZone), instantOf(endDate, timeZone)];
        return !start || !end || start < end;
      },
      { error: 'events:form.endTooEarly', path: ['endDate'] },
    ),
  );

export type EventForm = z.infer<typeof eventSchema>;

/** In display order; the server uses the same names in `fields`. */
export const eventFields = [
  'title',
  'startDate',
  'endDate',
  'timeZone',
  'location',
  'description',
] as const satisfies (keyof EventForm)[];

export function formOf(event: EventDetails | null): EventForm {
  const timeZone = event ? zoneOf(event) : browserTimeZone();
  return {
    title: event?.title ?? '',
    startDate: event ? wallClockOf(event.startDate, timeZone) : '',
    endDate: event ? wallClockOf(event.endDate, timeZone) : '',
    timeZone,
    location: event?.location ?? '',
    description: event?.description ?? '',
  };
}

/** Omits empty texts. */
export function newEvent({
  title,
  startDate,
  endDate,
  timeZone,
  location,
  description,
}: EventForm): NewEvent {
  return {
    title,
    startDate: instantOf(startDate, timeZone) ?? '',
    endDate: instantOf(endDate, timeZone) ?? '',
    timeZone,
    ...(location && { location }),
    ...(description && { description }),
  };
}

/** Only changed fields; an empty text clears a field, and another zone changes the instants. */
export function changesOf(event: EventDetails, form: EventForm): Partial<NewEvent> {
  const before = formOf(event);
  const changed = (name: keyof EventForm) => form[name] !== before[name];
  const { startDate, endDate } = newEvent(form);
  return {
    ...(changed('title') && { title: form.title }),
    ...((changed('startDate') || changed('timeZone')) && { startDate }),
    ...((changed('endDate') || changed('timeZone')) && { endDate }),
    ...(changed('timeZone') && { timeZone: form.timeZone }),
    ...(changed('location') && { location: form.location }),
    ...(changed('description') && { description: form.description }),
  };
}
