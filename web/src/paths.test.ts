// What an address of the client may carry, and which outside addresses may become a link.
import { expect, test } from 'vitest';
import { paths, webAddress } from './paths';

test.each(['https://example.org/a?b#c', 'http://example.org'])('%s may be linked to', (url) => {
  expect(webAddress(url)).toBe(url);
});

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'mailto:a@example.org',
  'ftp://example.org',
  'https://name:word@example.org',
  '//example.org',
  '/jobs',
  '',
  null,
])('%j may not', (url) => {
  expect(webAddress(url)).toBeNull();
});

test('an id cannot leave its place in the path', () => {
  expect(paths.profile('../auth?x#y')).toBe('/profile/..%2Fauth%3Fx%23y');
  expect(paths.search('a&b=c')).toBe('/search?q=a%26b%3Dc');
});
