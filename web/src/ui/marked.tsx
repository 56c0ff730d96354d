// A text with the words marked that a search has found it by.
import { createContext, use } from 'react';

const Terms = createContext<readonly string[]>([]);

/** Around what was found: beginnings of words, in small letters without accents. Elsewhere nothing is marked. */
export const MarkedTerms = Terms.Provider;

export function Marked({ children }: { children: string | null | undefined }) {
  const terms = use(Terms);
  if (!children || terms.length === 0) return children;
  return pieces(children, terms).map(({ text, at, marked }) =>
    marked ? (
      // In a text that is cut off it gives way whole: the ellipsis is not a piece of it.
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
  /** Where it begins. */
  at: number;
  marked: boolean;
}

const word = /[\p{L}\p{N}\p{M}]+/gu;

/** The same text in pieces: every word that begins with one of the terms is one of its own, whole and marked. */
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

/** In small letters without accents, as the server folds words. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
