// A read of an entity that the member changes meanwhile is repeated.
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { eventually } from '@/testing/eventually';
import { mutationsOf, reread } from './reread';

const key = mutationsOf('community', 'c1');

/** A promise, and the function that settles it. */
function promised<Answer>() {
  let settle: (answer: Answer) => void = () => undefined;
  const promise = new Promise<Answer>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

function change(queryClient: QueryClient, mutationKey: readonly unknown[]) {
  const { promise, settle } = promised<string>();
  const mutation = queryClient
    .getMutationCache()
    .build(queryClient, { mutationKey, mutationFn: () => promise });
  const done = mutation.execute(undefined);
  const end = () => {
    settle('changed');
    return done;
  };
  return { end };
}

test('a read without a change is not repeated', async () => {
  let reads = 0;
  const answer = await reread(new QueryClient(), key, async () => {
    reads += 1;
    return 'fresh';
  });
  expect([answer, reads]).toEqual(['fresh', 1]);
});

test('a response from before a change is not used', async () => {
  const queryClient = new QueryClient();
  const responses = [promised<string>(), promised<string>()];
  let reads = 0;
  const answer = reread(queryClient, key, () => {
    reads += 1;
    return responses[reads - 1]?.promise ?? Promise.reject(new Error('a third read'));
  });
  await eventually(() => expect(reads).toBe(1));
  const changing = change(queryClient, key);
  responses[0]?.settle('before the change');
  // A change of something else does not matter.
  change(queryClient, mutationsOf('community', 'c2'));
  await changing.end();
  await eventually(() => expect(reads).toBe(2));
  responses[1]?.settle('after the change');
  expect(await answer).toBe('after the change');
});

test('a read waits for the end of a change', async () => {
  const queryClient = new QueryClient();
  const changing = change(queryClient, key);
  let reads = 0;
  const answer = reread(queryClient, key, async () => {
    reads += 1;
    return 'after the change';
  });
  // Everything that is ready has run.
  await new Promise((resolve) => setTimeout(resolve));
  expect(reads).toBe(0);
  await changing.end();
  expect(await answer).toBe('after the change');
});

test('a failed read is not repeated', async () => {
  const failure = new Error('404');
  await expect(reread(new QueryClient(), key, () => Promise.reject(failure))).rejects.toBe(failure);
});
