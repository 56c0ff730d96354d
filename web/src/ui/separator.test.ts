// Dots between facts.
import { expect, test } from 'vitest';
import { joined } from './separator';

test('the dots stand between the facts there are, with spaces that do not break', () => {
  expect(joined('Manila', null, undefined, false, '', 'Remote')).toBe('Manila\u00a0·\u00a0Remote');
  expect(joined()).toBe('');
});
