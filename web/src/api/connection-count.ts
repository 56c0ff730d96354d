// The counter of the member's connections, read from the list of connections: profile learns of a change later.
import type { QueryClient } from '@tanstack/react-query';
import { api, readPage } from './client';
import { profileQuery } from './queries';

export async function rereadConnectionCount(queryClient: QueryClient, me: string): Promise<void> {
  const { queryKey } = profileQuery(me);
  if (!queryClient.getQueryData(queryKey)?.stats) return;
  const params = { path: { id: me }, query: { limit: 1 } };
  const { total } = await readPage(api.GET('/api/users/{id}/connections', { params }));
  if (total === null) return;
  queryClient.setQueryData(
    queryKey,
    (view) => view?.stats && { ...view, stats: { ...view.stats, connections: total } },
  );
}
