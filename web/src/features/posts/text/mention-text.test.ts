// Completion of names and the text that is sent: names are ids.
import { expect, test } from 'vitest';
import { encodeMentions, nameBeingTyped } from './mention-text';

const ana = { id: 'a', name: 'Ana Reyes' };
const cruz = { id: 'c', name: 'Ana Reyes Cruz' };
const other = { id: 'b', name: 'Ana Reyes' };

test.each([
  ['Hi @Ana Reyes!', [ana], 'Hi @[a]!'],
  ['@Ana Reyes Cruz and @Ana Reyes', [ana, cruz], '@[c] and @[a]'],
  ['@Ana Reyes, @Ana Reyes, @Ana Reyes', [ana, other], '@[a], @[b], @[b]'],
  ['@Ana Reyesova and @Ana Rey', [ana], '@Ana Reyesova and @Ana Rey'],
  ['@J. (Jo) Ñáñez+', [{ id: 'j', name: 'J. (Jo) Ñáñez+' }], '@[j]'],
  ['@Ana Reyes', [], '@Ana Reyes'],
])('%s is sent with ids', (text, members, sent) => {
  expect(encodeMentions(text, members)).toBe(sent);
});

test.each([
  ['@', { start: 0, query: '' }],
  ['Hi @An', { start: 3, query: 'An' }],
  ['(@An', { start: 1, query: 'An' }],
  ['Hi @Ana Re', { start: 3, query: 'Ana Re' }],
  ['line\n@Ñá', { start: 5, query: 'Ñá' }],
  [`${'x'.repeat(200)} @An`, { start: 201, query: 'An' }],
  ['ana@up', null],
  ['Hi @Ana ', null],
  ['Hi @one two three four', null],
  [`${'x'.repeat(200)}@An`, null],
])('%s', (text, expected) => {
  expect(nameBeingTyped(text, text.length, [])).toEqual(expected);
});

test('nothing is completed after a chosen member', () => {
  expect(nameBeingTyped('@Ana Reyes', 10, [ana])).toBeNull();
  expect(nameBeingTyped('@Ana Reyes is', 13, [ana])).toBeNull();
  expect(nameBeingTyped('@Ana Re', 7, [ana])).toEqual({ start: 0, query: 'Ana Re' });
});
