// Parts of the page that may come after the first paint: loaded once, seen by every component that waits for them.
import { useSyncExternalStore } from 'react';

interface Deferred<Part> {
  /** Starts the download; later calls do nothing. */
  load: () => void;
  /** The part, null until it has arrived. */
  use: () => Part | null;
}

/** `around` is given what hands the part to the components, who draw anew at once. */
export function deferred<Part>(
  download: () => Promise<Part>,
  around: (hand: () => void) => void = (hand) => hand(),
): Deferred<Part> {
  let part: Part | null = null;
  let asked = false;
  const listeners = new Set<() => void>();

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    load: () => {
      if (asked) return;
      asked = true;
      download().then(
        (arrived) => {
          around(() => {
            part = arrived;
            for (const listener of listeners) listener();
          });
        },
        () => {
          // Offline, perhaps: the next call tries again.
          asked = false;
        },
      );
    },
    use: () => useSyncExternalStore(subscribe, () => part),
  };
}
