// Parsing an operator's link.
import { expect, test } from 'vitest';
import { operatorLink } from './operator-link';

test.each([
  ['#token=abc-_1&username=isabel', { token: 'abc-_1', username: 'isabel' }],
  ['#username=isabel.reyes%40law&token=abc%3D', { token: 'abc=', username: 'isabel.reyes@law' }],
  ['#token=abc==&username=isabel+law', { token: 'abc==', username: 'isabel+law' }],
  ['#token=abc&username=%', { token: 'abc', username: '%' }],
])('%s', (hash, link) => {
  expect(operatorLink(hash)).toEqual(link);
});

test.each(['', '#', '#main', '#token=abc', '#username=isabel', '#token=&username=isabel'])(
  'no link: %s',
  (hash) => {
    expect(operatorLink(hash)).toBeNull();
  },
);
