// The members of a group.
import { queryOptions } from '@tanstack/react-query';
import { api, read } from './client';
import { threadKey } from './conversations';

/** Below the key of the thread, so that each change of the group refetches it. */
export const groupMembersQuery = (id: string) =>
  queryOptions({
    queryKey: [...threadKey(id), 'members'] as const,
    queryFn: () => read(api.GET('/api/conversations/{id}/members', { params: { path: { id } } })),
  });
