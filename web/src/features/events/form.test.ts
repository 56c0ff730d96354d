// Schema and request body of the event form in the time zone of the event.
import { expect, test } from 'vitest';
import { eventOf } from '@/testing/events';
import { changesOf, type EventForm, eventSchema, formOf, newEvent } from './form';

const form: EventForm = {
  title: 'Moot court finals',
  startDate: '2027-03-01T14:00',
  endDate: '2027-03-01T17:00',
  timeZone: 'America/New_York',
  location: '',
  description: '',
};

function faults(changes: Partial<EventForm>): Record<string, string> {
  const parsed = eventSchema.safeParse({ ...form, ...changes });
  return Object.fromEntries(parsed.error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []);
}

test('times are sent as instants, and empty fields are omitted', () => {
  expect(faults({})).toEqual({});
  expect(newEvent(form)).toEqual({
    title: 'Moot court finals',
    startDate: '2027-03-01T19:00:00.000Z',
    endDate: '2027-03-01T22:00:00.000Z',
    timeZone: 'America/New_York',
  });
});

test('title, start and end are required, and texts have a maximum length', () => {
  expect(faults({ title: '  ', startDate: '', endDate: '' })).toEqual({
    title: 'events:form.titleMissing',
    startDate: 'events:form.startMissing',
    endDate: 'events:form.endMissing',
  });
  expect(
    faults({ title: 'x'.repeat(201), location: 'x'.repeat(201), description: 'x'.repeat(5_001) }),
  ).toEqual({
    title: 'forms:tooLong {"maximum":"200"}',
    location: 'forms:tooLong {"maximum":"200"}',
    description: 'forms:tooLong {"maximum":"5000"}',
  });
  // The length is counted like on the server.
  expect(faults({ title: '⚖'.repeat(200) })).toEqual({});
  expect(faults({ title: '😀'.repeat(200) })).toEqual({});
});

test.each(['tomorrow', '2027-02-30T10:00', '12027-03-01T14:00'])('%s is an invalid start', (startDate) => {
  expect(faults({ startDate })).toEqual({ startDate: 'events:form.dateInvalid' });
});

test.each(['2027-03-01T14:00', '2027-03-01T13:59', '2026-03-01T17:00'])('%s is an invalid end', (endDate) => {
  expect(faults({ endDate })).toEqual({ endDate: 'events:form.endTooEarly' });
});

test('in a repeated hour the instants decide the order', () => {
  // 1:30 means the first occurrence, half an hour before the clocks go back to 1:00.
  expect(faults({ startDate: '2026-11-01T01:30', endDate: '2026-11-01T01:45' })).toEqual({});
});

const event = eventOf({
  startDate: '2027-03-01T06:00:00Z',
  endDate: '2027-03-01T09:00:00Z',
  timeZone: 'Asia/Manila',
});

test('the initial values are those of the event in its own time zone', () => {
  expect(formOf(event)).toEqual({
    title: 'Moot court finals',
    startDate: '2027-03-01T14:00',
    endDate: '2027-03-01T17:00',
    timeZone: 'Asia/Manila',
    location: 'Main Courtroom',
    description: 'Come and heckle politely.\nDoors open at one.',
  });
  expect(formOf(null).timeZone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test('only changed fields are sent', () => {
  const begun = formOf(event);
  expect(changesOf(event, begun)).toEqual({});
  expect(changesOf(event, { ...begun, title: 'Finals', location: '' })).toEqual({
    title: 'Finals',
    location: '',
  });
  expect(changesOf(event, { ...begun, endDate: '2027-03-01T18:00' })).toEqual({
    endDate: '2027-03-01T10:00:00.000Z',
  });
});

test('another zone with the same local time sends another instant', () => {
  expect(changesOf(event, { ...formOf(event), timeZone: 'Europe/London' })).toEqual({
    startDate: '2027-03-01T14:00:00.000Z',
    endDate: '2027-03-01T17:00:00.000Z',
    timeZone: 'Europe/London',
  });
});

test('an event in an unknown zone is shown in UTC', () => {
  expect(formOf({ ...event, timeZone: 'Mars/Olympus_Mons' })).toMatchObject({
    startDate: '2027-03-01T06:00',
    timeZone: 'UTC',
  });
});
