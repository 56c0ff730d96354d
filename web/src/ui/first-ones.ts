// A long list is drawn from its top: what fills a window at once, the rest in pieces between which the page answers.
import { useDeferredValue } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** As many as fill a window. */
const few = 5;

interface Drawn<Item> {
  /** The items to draw now. */
  drawn: Item[];
  /** There are only the first of them yet: what stands below the list would jump when the others come. */
  begins: boolean;
}

/**
 * It is all of them for who comes back to where they were: the page has to be as long as it was.
 * Only how many is late; each is as it is now.
 */
export function useFirstOnes<Item>(items: Item[]): Drawn<Item> {
  const { key } = useLocation();
  // The first screen of a visit is a POP too, and has no key of its own.
  const comesBack = useNavigationType() === 'POP' && key !== 'default';
  const shown = useDeferredValue(items.length, comesBack ? items.length : few);
  if (shown >= items.length) return { drawn: items, begins: false };
  return { drawn: items.slice(0, shown), begins: shown <= few };
}
