// Marks the words of a text that match a search.
import { type ReactNode, useMemo } from 'react';
import { HighlightTerms } from './highlight';
import { fold } from './text-folding';

interface TermHighlightsProps {
  /** The word prefixes of a search, in lower case without accents. */
  value: readonly string[];
  children: ReactNode;
}

/** Every `Highlight` inside marks the words with these prefixes. */
export function TermHighlights({ value, children }: TermHighlightsProps) {
  const mark = useMemo(
    () => (value.length > 0 ? (text: string) => markedPieces(text, value) : null),
    [value],
  );
  return <HighlightTerms value={mark}>{children}</HighlightTerms>;
}

const markedPieces = (whole: string, terms: readonly string[]): ReactNode =>
  pieces(whole, terms).map(({ text, at, marked }) =>
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

interface Piece {
  text: string;
  /** Its offset in the text. */
  at: number;
  marked: boolean;
}

/** Words joined by single stops, as in `R.A.`. */
const joined = /[\p{L}\p{N}\p{M}]+(?:\.[\p{L}\p{N}\p{M}]+)*/gu;
/** A letter of a script without spaces. */
const unspaced =
  '(?!\\p{N})[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]';
/** Runs of such letters and the words around them. */
const parts = new RegExp(`(?:${unspaced}\\p{M}*)+|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const isUnspaced = new RegExp(`^${unspaced}`, 'u');
/** A part of an abbreviation: one or two letters, or an ordinal as in `F.3d`. */
const abbreviated = /^(?!(?:no|vs)$)(?:\p{L}{1,2}|\d(?:d|nd|rd|th))$/u;

/** Splits a text: every word that begins with one of the terms is one marked piece; in a script without spaces, the term. */
export function pieces(text: string, terms: readonly string[]): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  const mark = (from: number, to: number) => {
    if (from > end) found.push({ text: text.slice(end, from), at: end, marked: false });
    found.push({ text: text.slice(from, to), at: from, marked: true });
    end = to;
  };
  const begins = (word: string) => terms.some((term) => term && word.startsWith(term));
  for (const { 0: whole, index } of text.matchAll(joined)) {
    const words = [...whole.matchAll(parts)].map(({ 0: word, index: at }) => ({
      word,
      folded: fold(word),
      from: index + at,
      to: index + at + word.length,
    }));
    for (let at = 0; at < words.length; ) {
      const first = words[at];
      if (!first) break;
      let last = at;
      const isPart = (one: number) => abbreviated.test(words[one]?.folded ?? '');
      const follows = (one: number) => words[one]?.from === (words[one - 1]?.to ?? 0) + 1;
      if (isPart(at)) while (follows(last + 1) && isPart(last + 1)) last++;
      const group = words.slice(at, last + 1);
      const isAbbreviation = group.length > 1 && group.some(({ folded }) => [...folded].length === 1);
      if (isAbbreviation && begins(group.map(({ folded }) => folded).join(''))) {
        mark(first.from, group.at(-1)?.to ?? first.to);
        at = last + 1;
        continue;
      }
      if (isUnspaced.test(first.word))
        for (const [from, to] of occurrences(first.word, terms)) mark(first.from + from, first.from + to);
      else if (begins(first.folded)) mark(first.from, first.to);
      at++;
    }
  }
  if (end < text.length) found.push({ text: text.slice(end), at: end, marked: false });
  return found;
}

/** The ranges of the terms in a text without spaces, in order. */
function occurrences(text: string, terms: readonly string[]): [number, number][] {
  // Folding removes marks and may change lengths: the offset in the text of each folded unit.
  let folded = '';
  const offsets: number[] = [];
  let offset = 0;
  for (const letter of text) {
    const plain = fold(letter);
    folded += plain;
    for (let unit = 0; unit < plain.length; unit++) offsets.push(offset);
    offset += letter.length;
  }
  offsets.push(text.length);
  const isIn = new Set<number>();
  for (const term of terms)
    for (let at = term ? folded.indexOf(term) : -1; at >= 0; at = folded.indexOf(term, at + 1))
      for (let unit = at; unit < at + term.length; unit++) isIn.add(unit);
  const ranges: [number, number][] = [];
  for (let unit = 0; unit < folded.length; unit++) {
    if (!isIn.has(unit)) continue;
    const from = offsets[unit] ?? 0;
    while (isIn.has(unit + 1)) unit++;
    ranges.push([from, offsets[unit + 1] ?? text.length]);
  }
  return ranges;
}
