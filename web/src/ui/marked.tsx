// Text in which the words of a search are marked: marked-terms.tsx, which only screens with a search load.
import { createContext, type ReactNode, use } from 'react';

/** Marks the words of a text; null outside of a search. */
export const Marking = createContext<((text: string) => ReactNode) | null>(null);

export function Marked({ children }: { children: string | null | undefined }) {
  const mark = use(Marking);
  return children && mark ? mark(children) : children;
}
