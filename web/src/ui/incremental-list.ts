// Renders a long list incrementally: what fills the window at once, the rest in pieces between which the page responds.
import { startTransition, useEffect, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** As many as fill a window; of what takes its time to draw a piece must do, which fills that of a phone. */
const few = 5;

interface Drawn<Item> {
  /** The items to draw now. */
  drawn: Item[];
  /** There are only the first of them yet: what stands below the list would jump when the others come. */
  begins: boolean;
}

/**
 * It is all of them for who comes back to where they were: the page has to be as long as it was.
 * Only how many is late; each is as it is now. A piece is as many as a phone draws without holding up a finger.
 */
export function useIncrementalList<Item>(items: Item[], piece = 6): Drawn<Item> {
  const comesBack = useReturnNavigation();
  const [drawn, setDrawn] = useState(comesBack ? Number.POSITIVE_INFINITY : Math.min(few, piece));
  const [begins, setBegins] = useState(true);
  const { length } = items;
  // Piece after piece: one commit of them all is one long task.
  useEffect(() => {
    if (drawn >= length) return;
    startTransition(() => {
      setDrawn(drawn + piece);
      if (drawn + piece >= length) setBegins(false);
    });
  }, [length, drawn, piece]);
  if (drawn >= length) return { drawn: items, begins: false };
  return { drawn: items.slice(0, drawn), begins };
}

/** Whether the member returned to a previous screen. */
export function useReturnNavigation(): boolean {
  const { key } = useLocation();
  // The first screen of a visit is a POP too, and has no key of its own.
  return useNavigationType() === 'POP' && key !== 'default';
}
