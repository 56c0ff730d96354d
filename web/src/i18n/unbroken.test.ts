// Hyphenated words stay on one line; names that members may copy are not changed.
import { expect, test } from 'vitest';
import { unbroken } from './unbroken';

test.each([
  ['Mag-sign in', 'Mag-\u2060sign in'],
  ['Para sa mga mag-aaral, i-save.', 'Para sa mga mag-\u2060aaral, i-\u2060save.'],
  ['Subukan muli - pakisuri', 'Subukan muli - pakisuri'],
  ['{{number}}-aral 24-oras', '{{number}}-aral 24-oras'],
  ['portia-theme: maliwanag', 'portia-theme: maliwanag'],
  ['portia-page at workbox-precache: naka-sign in', 'portia-page at workbox-precache: naka-\u2060sign in'],
  ['__Host-portia_session', '__Host-portia_session'],
  ['/legal-news', '/legal-news'],
])('%j becomes %j', (text, expected) => {
  expect(unbroken(text)).toBe(expected);
});

test('all texts of an object are joined, but not its keys', () => {
  const pattern = /^Mag-sign/;
  expect(unbroken({ 'case-brief': 'i-save', list: ['na-load', 1, null], pattern })).toEqual({
    'case-brief': 'i-\u2060save',
    list: ['na-\u2060load', 1, null],
    pattern,
  });
});
