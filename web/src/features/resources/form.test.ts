// What a suggestion may be, field by field, and what is sent of it.
import { expect, test } from 'vitest';
import { newResource, suggestionSchema } from './form';

const good = { title: 'Hearsay', url: 'https://example.org/hearsay', type: 'guide', description: '' };

/** The message at a field, undefined where it is accepted. */
function refused(field: string, value: string) {
  const { error } = suggestionSchema.safeParse({ ...good, [field]: value });
  return error?.issues.find(({ path }) => path[0] === field)?.message;
}

test.each([
  ['title', '   ', 'resources:form.titleMissing'],
  ['title', 'x'.repeat(200), undefined],
  ['title', '⚖️'.repeat(101), 'forms:tooLong {"maximum":"200"}'],
  ['url', ' ', 'resources:form.urlMissing'],
  ['url', 'example.org', 'resources:form.urlInvalid'],
  ['url', 'javascript:alert(1)', 'resources:form.urlInvalid'],
  ['url', 'https://user@example.org', 'resources:form.urlInvalid'],
  ['url', `https://example.org/${'x'.repeat(2_048)}`, 'resources:form.urlInvalid'],
  ['url', 'http://example.org/a?b=c#d', undefined],
  ['description', 'x'.repeat(2_000), undefined],
  ['description', 'x'.repeat(2_001), 'forms:tooLong {"maximum":"2000"}'],
])('%s %.40s', (field, value, message) => {
  expect(refused(field, value)).toBe(message);
});

test('one complaint about an empty address, not two', () => {
  const { error } = suggestionSchema.safeParse({ ...good, url: '' });
  expect(error?.issues).toHaveLength(1);
});

test('texts are trimmed, and an empty description is left out', () => {
  const parsed = suggestionSchema.parse({ ...good, title: '  Hearsay ', url: ' https://example.org/hearsay ' });
  expect(newResource(parsed)).toEqual({
    title: 'Hearsay',
    url: 'https://example.org/hearsay',
    type: 'guide',
  });
  expect(newResource({ ...parsed, description: 'In order.' })).toHaveProperty('description', 'In order.');
});
