// The emoji that match a search in either language, in rows of the picker.
import data from './emoji.json';

export type Emoji = { char: string; en: string; fil: string };

interface Group {
  group: string;
  emoji: Emoji[];
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The name is the part before the bar. */
const nameOf = (text = '') => text.split('|')[0] ?? '';

const groups: (Group & { words: Map<string, string> })[] = data.map(({ group, emoji }) => ({
  group,
  emoji: emoji.map(([char = '', en, fil]) => ({ char, en: nameOf(en), fil: nameOf(fil) })),
  words: new Map(
    emoji.map(([char = '', en, fil]) => [char, ` ${plain(`${en} ${fil}`).replace(/[|,:()]/g, ' ')}`]),
  ),
}));

/** Every word of the query must begin a word of the emoji, in English or in Filipino. Groups without a match are left out. */
export function searchEmoji(query: string): Group[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups
    .map(({ group, emoji, words: known }) => ({
      group,
      emoji: emoji.filter(({ char }) => words.every((word) => known.get(char)?.includes(` ${word}`))),
    }))
    .filter(({ emoji }) => emoji.length > 0);
}

/** Entries in rows of equal length; the last one may be shorter. */
export function inRows<Entry>(entries: Entry[], columns: number): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / columns) }, (_, row) =>
    entries.slice(row * columns, (row + 1) * columns),
  );
}
