// The addresses of posts and comments, as they are copied, sent, and recognised in a message.
import { paths } from '@/paths';

export const postAddress = (id: string): string => `${window.location.origin}${paths.post(id)}`;

export const commentAddress = (postId: string, id: string): string =>
  `${window.location.origin}${paths.comment(postId, id)}`;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The maximum number of posts shown as cards. */
const shownAtMost = 3;

/** The posts of this Portia that a text links to, and the text without these links. */
export function postsIn(text: string): { words: string; ids: string[] } {
  const ids: string[] = [];
  const address = new RegExp(`${escaped(postAddress(''))}(${uuid})(?![\\w/?#-])`, 'gi');
  const words = text.replace(address, (whole, id: string) => {
    if (!ids.includes(id)) {
      if (ids.length === shownAtMost) return whole;
      ids.push(id);
    }
    return '';
  });
  return { words: words.trim(), ids };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
