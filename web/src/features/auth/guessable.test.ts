// The corpus that the rules of the server pass too (services/auth/src/credentials/guessable.rs).
import { expect, test } from 'vitest';
import { isGuessable } from './guessable';
import corpus from './guessable-corpus.json';
import { hashOf } from './password-advice';

test.each(corpus)('$password of $username', async ({ password, username, guessable, hash }) => {
  expect(isGuessable(password, username)).toBe(guessable);
  expect(await hashOf(password)).toBe(hash);
});

test('the hash is that of the composed form, as the server stores it', async () => {
  expect(await hashOf('cafe\u0301-1')).toBe(await hashOf('café-1'));
});

test('a page without a secure context hashes nothing', async () => {
  const { subtle } = crypto;
  Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
  expect(await hashOf('password')).toBeNull();
  Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true });
});

test('an empty username is no name', () => {
  expect(isGuessable('certio', '')).toBe(false);
  expect(isGuessable('Portia26', '')).toBe(true);
});
