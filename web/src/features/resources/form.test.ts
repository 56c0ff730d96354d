// Schema and request body of the suggestion form.
import { expect, test } from 'vitest';
import { setFormDefaults } from '@/i18n/form-texts';
import { newResource, suggestionSchema } from './form';

setFormDefaults();

const good = { title: 'Hearsay', url: 'https://example.org/hearsay', type: 'guide', description: '' };

/** The message at a field; undefined if the value is valid. */
function refused(field: string, value: string) {
  const { error } = suggestionSchema.safeParse({ ...good, [field]: value });
  return error?.issues.find(({ path }) => path[0] === field)?.message;
}

test.each([
  ['a blank title', 'title', '   ', 'resources:form.titleMissing'],
  ['a title of 200', 'title', 'x'.repeat(200), undefined],
  ['a title of 202 code points', 'title', '⚖️'.repeat(101), 'forms:tooLong {"maximum":"200"}'],
  ['a blank link', 'url', ' ', 'resources:form.urlMissing'],
  ['a link without http', 'url', 'example.org', 'resources:form.urlInvalid'],
  ['a script', 'url', 'javascript:alert(1)', 'resources:form.urlInvalid'],
  ['a link with a user', 'url', 'https://user@example.org', 'resources:form.urlInvalid'],
  ['a link too long', 'url', `https://example.org/${'x'.repeat(2_048)}`, 'resources:form.urlInvalid'],
  ['a link with everything', 'url', 'http://example.org/a?b=c#d', undefined],
  ['an unknown kind', 'type', 'podcast', 'forms:invalid'],
  ['a description of 2,000', 'description', 'x'.repeat(2_000), undefined],
  ['a description of 2,001', 'description', 'x'.repeat(2_001), 'forms:tooLong {"maximum":"2000"}'],
])('%s', (_, field, value, message) => {
  expect(refused(field, value)).toBe(message);
});

test('an empty address has one error, not two', () => {
  const { error } = suggestionSchema.safeParse({ ...good, url: '' });
  expect(error?.issues).toHaveLength(1);
});

test('texts are trimmed, and an empty description is omitted', () => {
  const parsed = suggestionSchema.parse({
    ...good,
    title: '  Hearsay ',
    url: ' https://example.org/hearsay ',
  });
  expect(newResource(parsed)).toEqual({
    title: 'Hearsay',
    url: 'https://example.org/hearsay',
    type: 'guide',
  });
  expect(newResource({ ...parsed, description: 'In order.' })).toHaveProperty('description', 'In order.');
});
