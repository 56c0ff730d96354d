// Parsing the address that a member returns to.
import { expect, test } from 'vitest';
import { returnAddressOf } from './return-address';

test.each(['/network', '/messages/1?x=2#y'])('%s', (returnTo) => {
  expect(returnAddressOf({ returnTo })).toEqual({ returnTo, hasEnded: false });
  expect(returnAddressOf({ returnTo, hasEnded: true })).toEqual({ returnTo, hasEnded: true });
});

test.each([
  null,
  'x',
  {},
  { username: 'isabel' },
  { returnTo: 1 },
  { returnTo: 'https://example.org' },
  { returnTo: '//example.org' },
  { returnTo: '/\\example.org' },
])('no address: %j', (state) => {
  expect(returnAddressOf(state)).toBeNull();
});
