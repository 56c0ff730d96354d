// The search for the number of a proof of work.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findNumber } from './find-number';

const salt = '00ff?expires=1800000000&';
const challengeOf = (number: number) => createHash('sha256').update(`${salt}${number}`).digest('hex');

test.each([0, 1, 999, 1_000, 2_345])('finds %d', async (number) => {
  const found = await findNumber({ challenge: challengeOf(number), salt, maxnumber: 2_345 });
  expect(found).toBe(number);
});

test('a number above the maximum is not found', async () => {
  expect(await findNumber({ challenge: challengeOf(51), salt, maxnumber: 50 })).toBeNull();
});

test('an equal beginning of the hash is not enough', async () => {
  const challenge = challengeOf(7).slice(0, 8) + 'f'.repeat(56);
  expect(await findNumber({ challenge, salt, maxnumber: 20 })).toBeNull();
});
