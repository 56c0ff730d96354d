// The members of a group.
import { query } from './query';

/** Below the key of the thread, so that each change of the group refetches it. */
export const groupMembersQuery = (id: string) => query('/api/conversations/{id}/members', { path: { id } });
