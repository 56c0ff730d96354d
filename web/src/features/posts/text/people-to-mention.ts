// The members whose names match what is typed after an `@`: connections of the member first.
import { queryOptions } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import type { Person } from '@/api/schema.gen';

/** Matches requested, so that connections among them can come first. */
const requested = 20;
/** Members in the list. */
const shown = 6;

export const isConnected = ({ connection }: Person): boolean => connection?.status === 'accepted';

/** An obsolete request is aborted. */
export const peopleToMentionQuery = (q: string, me: string) =>
  queryOptions({
    queryKey: ['/api/search', 'mention', q],
    queryFn: async ({ signal }) => {
      const query = { q, type: 'people' as const, limit: requested };
      const { people } = await read(api.GET('/api/search', { params: { query }, signal }));
      const others = (people ?? []).filter(({ id }) => id !== me);
      return [...others.filter(isConnected), ...others.filter((person) => !isConnected(person))].slice(
        0,
        shown,
      );
    },
    staleTime: 0,
    retryOnMount: true,
  });
