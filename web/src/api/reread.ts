// Reads an entity again without undoing what the member does to it meanwhile.
import type { QueryClient } from '@tanstack/react-query';

/** Mutations that change the entity have this key, so that a read of it waits for them. */
export const mutationsOf = (entity: 'community' | 'event' | 'post', id: string) => ['change', entity, id];

/**
 * Reads until none of the mutations was pending meanwhile: the response may be from before the change, and would show the entity
 * as it was. Returns what `read` returns, or throws what it throws.
 */
export async function reread<Answer>(
  queryClient: QueryClient,
  mutationKey: readonly unknown[],
  read: () => Promise<Answer>,
): Promise<Answer> {
  const cache = queryClient.getMutationCache();
  const known = () => cache.findAll({ mutationKey });
  const pending = () => cache.find({ mutationKey, status: 'pending' });
  for (;;) {
    await new Promise<void>((resolve) => {
      const check = () => {
        if (pending()) return;
        remove();
        resolve();
      };
      const remove = cache.subscribe(check);
      check();
    });
    const before = new Set(known());
    const answer = await read();
    if (known().every((mutation) => before.has(mutation))) return answer;
  }
}
