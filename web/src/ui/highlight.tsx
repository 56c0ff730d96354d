// Text in which the words of a search are marked: term-highlights.tsx, which only screens with a search load.
import { createContext, type ReactNode, use } from 'react';

/** Marks the words of a text; null outside of a search. */
export const HighlightTerms = createContext<((text: string) => ReactNode) | null>(null);

export function Highlight({ children }: { children: string | null | undefined }) {
  const mark = use(HighlightTerms);
  return children && mark ? mark(children) : children;
}
