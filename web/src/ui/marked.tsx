// Marks the words of a text that match a search.
import { createContext, use } from 'react';

const Terms = createContext<readonly string[]>([]);

/** Provides the word prefixes of a search, in lower case without accents. Without it, nothing is marked. */
export const MarkedTerms = Terms.Provider;

export function Marked({ children }: { children: string | null | undefined }) {
  const terms = use(Terms);
  if (!children || terms.length === 0) return children;
  return pieces(children, terms).map(({ text, at, marked }) =>
    marked ? (
      // In truncated text the mark wraps as a whole, so that the ellipsis does not split it.
      <mark
        key={at}
        className="rounded-[2px] bg-gold/35 text-foreground in-[.truncate]:inline-block in-[[class*=line-clamp]]:inline-block"
      >
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

interface Piece {
  text: string;
  /** Its offset in the text. */
  at: number;
  marked: boolean;
}

const word = /[\p{L}\p{N}\p{M}]+/gu;

/** Splits a text: every word that begins with one of the terms is one marked piece. */
export function pieces(text: string, terms: readonly string[]): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(word)) {
    const folded = fold(match[0]);
    if (!terms.some((term) => term && folded.startsWith(term))) continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index), at: end, marked: false });
    found.push({ text: match[0], at: match.index, marked: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ text: text.slice(end), at: end, marked: false });
  return found;
}

/** Lower case without accents, as the server folds words. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
