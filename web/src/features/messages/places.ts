// Addresses inside Messages: which folder the list shows stands in the query, so that it stays while threads come and go.
import type { ConversationFolder } from '@/api/types';
import { paths } from '@/paths';

const query = (folder: ConversationFolder) => (folder === 'requests' ? '?folder=requests' : '');

export const folderOf = (search: URLSearchParams): ConversationFolder =>
  search.get('folder') === 'requests' ? 'requests' : 'inbox';

/** The list alone, without a thread. */
export const listIn = (folder: ConversationFolder) => `${paths.messages}${query(folder)}`;

/** A thread beside the list. */
export const threadIn = (folder: ConversationFolder, id: string) => `${paths.thread(id)}${query(folder)}`;
