// The list of law schools and its search.
import { expect, test } from 'vitest';
import { limits } from '@/api/limits.gen';
import { loadSchools, matchingSchools } from './schools';

test('names are distinct and short enough for a profile', async () => {
  const schools = await loadSchools();
  const names = schools.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) {
    expect(name).toBe(name.trim());
    expect(name.length).toBeLessThanOrEqual(limits.UpdateUser.school.max);
  }
});

test.each([
  ['University of the Phil', 'University of the Philippines College of Law'],
  ['up', 'University of the Philippines College of Law'],
  ['UST civil', 'University of Santo Tomas Faculty of Civil Law'],
  ['nyu', 'New York University School of Law'],
  ['ateneo manila', 'Ateneo de Manila University School of Law'],
  ['tanada', 'De La Salle University Tañada-Diokno School of Law'],
  ['st johns', "St. John's University School of Law"],
  ['  YALE  ', 'Yale Law School'],
])('%s finds %s first', async (query, name) => {
  expect(matchingSchools(await loadSchools(), query)[0]).toBe(name);
});

test('nothing is found for a blank query and for unknown words', async () => {
  const schools = await loadSchools();
  for (const query of ['', '  ', '.,', 'zzzz', 'yale zzzz'])
    expect(matchingSchools(schools, query)).toEqual([]);
});
