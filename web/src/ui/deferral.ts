// Parts that load after the first paint: loaded once, for every component that uses them.
import { useSyncExternalStore } from 'react';

interface Deferred<Part> {
  /** Starts the download; later calls do nothing. */
  load: () => void;
  /** The part; null until it has loaded. */
  use: () => Part | null;
}

/** `around` wraps the update that renders the components again. */
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
          // Perhaps offline: the next call retries.
          asked = false;
        },
      );
    },
    use: () => useSyncExternalStore(subscribe, () => part),
  };
}
