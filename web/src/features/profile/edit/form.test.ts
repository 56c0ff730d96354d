// Schema rules that a mouse and a modern browser cannot trigger.
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isabel, profileOf } from '@/testing/server';
import { formOf, newExperience, newStudy, profileSchema, withSkill } from './form';

/** The error texts by field. */
function faults(changes: object): Record<string, string> {
  const result = z.safeParse(profileSchema, { ...formOf(profileOf(isabel)), ...changes });
  const issues = result.error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}

const job = { ...newExperience, title: 'Clerk', company: 'Court', startDate: '2026-06' };
const study = { ...newStudy, institution: 'College', degree: 'J.D.', startDate: '2024-08' };

test('a profile from the server, empty or not, is valid', () => {
  expect(faults({})).toEqual({});
  expect(faults({ experiences: [job], education: [study], skills: ['Writing'] })).toEqual({});
});

// A browser without a month field accepts any text.
describe.each(['June 2026', '2026', '2026-13', '2026-6', '0000-01', '2026-06-01'])('the month %s', (text) => {
  test('is invalid as start and end', () => {
    const begun = faults({ experiences: [{ ...job, startDate: text }] });
    expect(begun['experiences.0.startDate']).toBe('profile:invalid.month');
    expect(faults({ education: [{ ...study, endDate: text }] })['education.0.endDate']).toBeDefined();
  });

  test('is ignored as the end of a current position', () => {
    const present = { ...job, isCurrentPosition: true, endDate: text };
    expect(faults({ experiences: [present] })).toEqual({});
  });
});

test.each([
  ['2026-06', '2026-06', undefined],
  ['2026-06', '2027-01', undefined],
  ['2026-06', '2026-05', 'profile:invalid.endDate'],
])('from %s to %s', (startDate, endDate, message) => {
  expect(faults({ experiences: [{ ...job, startDate, endDate }] })['experiences.0.endDate']).toBe(message);
  expect(faults({ education: [{ ...study, startDate, endDate }] })['education.0.endDate']).toBe(message);
});

test('blank texts are missing, and characters are counted like on the server', () => {
  expect(faults({ fullName: '  a  ' })).toEqual({ fullName: 'profile:invalid.fullName' });
  expect(faults({ experiences: [{ ...job, title: '   ' }] })).toEqual({
    'experiences.0.title': 'profile:invalid.title',
  });
  expect(faults({ headline: '\u{1f600}'.repeat(200) })).toEqual({});
  expect(faults({ headline: 'x'.repeat(201) })).toEqual({ headline: 'forms:tooLong {"maximum":"200"}' });
  expect(faults({ bio: 'x'.repeat(5_001) })).toEqual({ bio: 'forms:tooLong {"maximum":"5000"}' });
});

test.each([
  ['Writing', ['Moot court', 'Writing']],
  ['  Writing ', ['Moot court', 'Writing']],
  ['moot COURT', ['Moot court']],
  ['   ', ['Moot court']],
])('adding %j', (typed, skills) => {
  expect(withSkill(['Moot court'], typed)).toEqual(skills);
});
