// Renders a long list incrementally: the first items at once, the rest in slices, so that the page stays responsive.
import { startTransition, useEffect, useState } from 'react';
import { useReturnNavigation } from './return-navigation';

/** The number of items that fill a window; for items that are slow to draw, one slice fills a phone's window. */
const few = 5;

interface Drawn<Item> {
  /** The items to draw now. */
  drawn: Item[];
  /** Only the first items are drawn: content below the list would shift when the others follow. */
  begins: boolean;
}

/**
 * Draws the whole list after a return navigation, to restore the scroll height. Only the number of drawn items is
 * deferred; their data is current. A slice is the number of items that a phone draws without blocking input.
 */
export function useIncrementalList<Item>(items: Item[], piece = 4): Drawn<Item> {
  const comesBack = useReturnNavigation();
  const [drawn, setDrawn] = useState(comesBack ? Number.POSITIVE_INFINITY : Math.min(few, piece));
  const [begins, setBegins] = useState(true);
  const { length } = items;
  // Slice by slice, each after the browser has painted the last one: one commit of all items is one long task.
  useEffect(() => {
    if (drawn >= length) return;
    return whenIdle(() =>
      startTransition(() => {
        setDrawn(drawn + piece);
        if (drawn + piece >= length) setBegins(false);
      }),
    );
  }, [length, drawn, piece]);
  if (drawn >= length) return { drawn: items, begins: false };
  return { drawn: items.slice(0, drawn), begins };
}

/** Milliseconds after which a busy browser draws the next slice all the same. */
const longest = 100;

/** Calls once the browser has nothing else to do; returns a function that stops it. Safari knows no idle time. */
function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act);
    return () => clearTimeout(timer);
  }
  const nr = requestIdleCallback(act, { timeout: longest });
  return () => cancelIdleCallback(nr);
}
