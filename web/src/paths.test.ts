// The addresses of the client.
import { expect, test } from 'vitest';
import { paths } from './paths';

test('an id cannot leave its path segment', () => {
  expect(paths.profile('../auth?x#y')).toBe('/profile/..%2Fauth%3Fx%23y');
  expect(paths.search('a&b=c')).toBe('/search?q=a%26b%3Dc');
});
