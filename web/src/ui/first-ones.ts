// A long list is drawn from its top: what fills a window at once, the rest in pieces between which the page answers.
import { startTransition, useEffect, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** As many as fill a window. */
const few = 5;
/** As many as a phone draws without holding up a finger. */
const piece = 3;

/**
 * The items to draw now. It is all of them for who comes back to where they were: the page has to be as long as it was.
 * Only how many is late; each is as it is now.
 */
export function useFirstOnes<Item>(items: Item[]): Item[] {
  const comesBack = useComesBack();
  const [drawn, setDrawn] = useState(comesBack ? Number.POSITIVE_INFINITY : few);
  const hasMore = drawn < items.length;
  // Piece after piece: one commit of them all is one long task.
  useEffect(() => {
    if (hasMore) startTransition(() => setDrawn(drawn + piece));
  }, [hasMore, drawn]);
  return hasMore ? items.slice(0, drawn) : items;
}

/** Whether whoever looks has come back to where they were. */
export function useComesBack(): boolean {
  const { key } = useLocation();
  // The first screen of a visit is a POP too, and has no key of its own.
  return useNavigationType() === 'POP' && key !== 'default';
}
