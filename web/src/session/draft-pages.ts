// Drafts of closed pages: a page that closes or reloads leaves its drafts to the next one. When the browser ends before
// a page can do so, the missing lock of the page reveals its drafts.
import { storedKeys } from '@/api/cache-owner';
import { page, readDevice, writeDevice } from './device-store';

const lockOf = (one: string): string => `portia-drafts:${one}`;

/** The page that writes a draft: the end of its key. */
const writerOf = (key: string): string | undefined => /:draft:.*@(\w+)$/.exec(key)?.[1];
const asLeft = (key: string): string => key.replace(/@(\w+)$/, '@-$1');
const asOwn = (key: string): string => key.replace(/@-(\w+)$/, '@$1');

function rename(from: string, to: string): void {
  writeDevice(to, readDevice(from));
  writeDevice(from, null);
}

window.addEventListener('pagehide', () => {
  for (const key of storedKeys()) if (writerOf(key) === page) rename(key, asLeft(key));
});
// The browser shows the page again: it continues what no other one has taken over.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) for (const key of storedKeys()) if (key.endsWith(`@-${page}`)) rename(key, asOwn(key));
});

const listeners = new Set<() => void>();
let found = 0;

/** Calls `listener` when drafts of pages that are gone were found. */
export function onLeft(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often such drafts were found. */
export const timesLeft = (): number => found;

/** Without locks every other page counts as gone: two tabs may then both show a draft, and still overwrite nothing. */
async function findLeft(): Promise<void> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const living = new Set(held.map(({ name }) => name));
  const left = storedKeys().filter((key) => {
    const writer = writerOf(key);
    return writer && writer !== page && !living.has(lockOf(writer));
  });
  if (left.length === 0) return;
  for (const key of left) rename(key, asLeft(key));
  found += 1;
  for (const listener of listeners) listener();
}

// Held as long as the page lives.
void navigator.locks?.request(lockOf(page), () => new Promise(() => undefined)).catch(() => undefined);
void findLeft().catch(() => undefined);
