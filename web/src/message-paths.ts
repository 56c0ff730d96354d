// Addresses inside Messages: the folder of the list is a query parameter, so that it stays while threads change; so is the
// message that a thread shows.
import type { ConversationFolder } from '@/api/schema.gen';
import { paths } from '@/paths';

const query = (folder: ConversationFolder) => (folder === 'requests' ? '?folder=requests' : '');

export const folderOf = (search: URLSearchParams): ConversationFolder =>
  search.get('folder') === 'requests' ? 'requests' : 'inbox';

/** The list without a thread. */
export const listIn = (folder: ConversationFolder) => `${paths.messages}${query(folder)}`;

/** A thread beside the list. */
export const threadIn = (folder: ConversationFolder, id: string) => `${paths.thread(id)}${query(folder)}`;

/** A message at its place in a thread. */
export function messageIn(folder: ConversationFolder, id: string, messageId: string): string {
  const address = threadIn(folder, id);
  return `${address}${address.includes('?') ? '&' : '?'}message=${messageId}`;
}
