// Strength and advice for sample passwords.
import { expect, test } from 'vitest';
import { strengthOf } from './strength';

test.each([
  ['abc', 'weak', 'short'],
  ['😀😀😀', 'weak', 'short'],
  ['123456', 'weak', 'pattern'],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', 'weak', 'pattern'],
  ['qwertyuiop', 'weak', 'common'],
  ['lkjhgfdsa', 'weak', 'pattern'],
  ['P@ssw0rd', 'weak', 'common'],
  ['Password2026', 'weak', 'common'],
  ['1qaz', 'weak', 'short'],
  ['vK7#pq', 'weak', 'longer'],
  ['correct ho', 'fair', 'longer'],
  ['correct horse', 'good', 'longer'],
  ['correct horse battery', 'strong', 'fine'],
  ['ñandú añil ágil', 'strong', 'fine'],
] as const)('%s is %s: %s', (password, strength, advice) => {
  expect(strengthOf(password)).toEqual({ strength, advice });
});

test('the username counts little, in either case', () => {
  expect(strengthOf('Isabel.Reyes', 'isabel.reyes')).toEqual({ strength: 'weak', advice: 'name' });
  expect(strengthOf('reyes!isabel1', 'isabel.reyes')).toEqual({ strength: 'weak', advice: 'name' });
  expect(strengthOf('Isabel.Reyes').strength).toBe('good');
});

test('a very short username is ignored', () => {
  expect(strengthOf('bumblebee tune', 'b').strength).toBe('strong');
});

test('a guessable part in the middle keeps the score of the rest', () => {
  expect(strengthOf('vK7#pq123456zR!m').strength).toBe('good');
});

test('a very long text is rated quickly', () => {
  expect(strengthOf('ab1'.repeat(500_000)).strength).toBe('strong');
});

test('what the server refuses is weak, however long it is', () => {
  const refused = { minLength: 6, guessable: true };
  expect(strengthOf('correct horse battery', '', refused)).toEqual({ strength: 'weak', advice: 'guessable' });
  const strict = { minLength: 12, guessable: false };
  expect(strengthOf('certiorari!', '', strict)).toEqual({ strength: 'weak', advice: 'short' });
});
