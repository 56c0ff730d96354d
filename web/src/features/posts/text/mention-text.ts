// Mentions while a member writes: the field shows names, the server stores ids.

export interface Mentioned {
  id: string;
  name: string;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The text as it is sent: `@[<id>]` for the name of each chosen member. A changed name is plain text. */
export function encodeMentions(text: string, members: readonly Mentioned[]): string {
  if (members.length === 0) return text;
  // Members of the same name, in the order in which they were chosen.
  const ids = new Map<string, string[]>();
  for (const { id, name } of members) ids.set(name, [...(ids.get(name) ?? []), id]);
  // '@Ana Reyes Cruz' is not '@Ana Reyes' with a word behind it.
  const names = [...ids.keys()].sort((one, other) => other.length - one.length).map(escaped);
  return text.replace(
    new RegExp(`@(${names.join('|')})(?![\\p{L}\\p{M}\\p{N}])`, 'gu'),
    (_, name: string) => {
      const [first, ...others] = ids.get(name) ?? [];
      if (others.length > 0) ids.set(name, others);
      return `@[${first}]`;
    },
  );
}

interface Typed {
  /** The offset of the `@`. */
  start: number;
  /** The typed part of the name. */
  query: string;
}

/** An `@` that begins a word, and up to three words of a name after it. */
const typed = /(?:^|[\s([{"“‘¡¿])@([\p{L}\p{M}\p{N}.'’-]*(?: [\p{L}\p{M}\p{N}.'’-]+){0,2})$/u;
/** The characters before the caret that are searched for an `@`. */
const reach = 80;

/** The name that is being typed before the caret; null for none, and after a member was chosen. */
export function nameBeingTyped(text: string, caret: number, chosen: readonly Mentioned[]): Typed | null {
  const from = Math.max(0, caret - reach);
  const query = typed.exec(text.slice(from, caret))?.[1];
  if (query === undefined) return null;
  const start = caret - query.length - 1;
  if (chosen.some(({ name }) => query.startsWith(name))) return null;
  // The first character of the part that was searched may be inside a word.
  return start === from && from > 0 && !/\s/.test(text.charAt(from - 1)) ? null : { start, query };
}
