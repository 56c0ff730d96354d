// The default form messages in both languages.
import { renderHook } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { setFormDefaults, useFormText } from './form-texts';
import { startI18n } from './i18n';
import { changeLanguage, loadTexts } from './load-texts';

beforeAll(async () => {
  startI18n();
  setFormDefaults();
  await loadTexts('forms');
});

afterEach(() => changeLanguage('en'));

function textFor(schema: z.ZodMiniType, value: unknown) {
  const message = z.safeParse(schema, value).error?.issues[0]?.message;
  const { result } = renderHook(() => useFormText());
  return result.current(message);
}

const cases: [z.ZodMiniType, unknown, string, string][] = [
  [z.string(), undefined, 'Required', 'Kailangan ito'],
  [z.string().check(z.minLength(1)), '', 'Required', 'Kailangan ito'],
  [z.string(), 7, 'Invalid value', 'Hindi wastong halaga'],
  [
    z.string().check(z.minLength(4)),
    'abc',
    'Must be at least 4 characters',
    'Hindi dapat bababa sa 4 karakter',
  ],
  [
    z.string().check(z.maxLength(2)),
    'abc',
    'Must be at most 2 characters',
    'Hindi dapat lumampas sa 2 karakter',
  ],
  [z.number().check(z.minimum(5)), 1, 'Must be at least 5', 'Hindi dapat bababa sa 5'],
  [z.number().check(z.maximum(5)), 9, 'Must be at most 5', 'Hindi dapat lumampas sa 5'],
  [z.email(), 'invalid', 'Invalid email address', 'Hindi wastong email address'],
  [z.url(), 'nowhere', 'Invalid input', 'Hindi wasto ang inilagay'],
];

test.each(cases)('%#', async (schema, value, english, filipino) => {
  await changeLanguage('en');
  expect(textFor(schema, value)).toBe(english);
  await changeLanguage('fil');
  expect(textFor(schema, value)).toBe(filipino);
});

test('a text of the schema takes precedence, and texts of the server stay unchanged', async () => {
  expect(textFor(z.string().check(z.minLength(3, 'forms:invalid')), 'a')).toBe('Invalid input');
  expect(textFor(z.string().check(z.minLength(3, 'Username taken: choose another')), 'a')).toBe(
    'Username taken: choose another',
  );
});
