// Drafts: unsent input per member and place, kept on this device until it is sent or discarded. Each page writes its own draft of a
// place, so that two tabs overwrite nothing. A page that goes leaves its drafts to the next one (draft-pages.ts).
import { useCallback, useSyncExternalStore } from 'react';
import { useAuth } from './auth';
import { deviceKey, deviceKeys, page, readDevice, subscribeDevice } from './device-store';

/** Older drafts are removed. */
const longestAge = 14 * 24 * 60 * 60 * 1_000;
export const name = 'draft:';

// Finds the drafts of pages that are gone.
void import('./draft-pages').catch(() => undefined);

export interface Stored {
  /** The time of the last change, in milliseconds since 1970. */
  at: number;
  value: unknown;
}

export function parse(text: string | null): Stored | null {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('value' in stored)) return null;
    const at = 'at' in stored && typeof stored.at === 'number' ? stored.at : 0;
    return Date.now() - at > longestAge ? null : { at, value: stored.value };
  } catch {
    return null;
  }
}
export interface DraftKind<Value> {
  empty: Value;
  isEmpty: (value: Value) => boolean;
  /** Null for a value that an older client has stored in another form. */
  parse: (value: unknown) => Value | null;
}

export const textDraft: DraftKind<string> = {
  empty: '',
  isEmpty: (text) => text.trim() === '',
  parse: (value) => (typeof value === 'string' ? value : null),
};

/** The key of this page's draft of a place. */
export const ownKey = (base: string): string => `${base}@${page}`;

/** The key of this page's draft of a place, else of the newest one that another page has left; null if there is none. */
export function keyToContinue(base: string): string | null {
  const own = ownKey(base);
  if (readDevice(own) !== null) return own;
  let newest: string | null = null;
  let latest = 0;
  for (const key of [base, ...deviceKeys(`${base}@-`)]) {
    const stored = parse(readDevice(key));
    if (!stored || stored.at < latest) continue;
    newest = key;
    latest = stored.at;
  }
  return newest;
}

/** The kept draft of a place, for a hint outside its field; null if there is none. */
export function useKeptDraft<Value>(place: string, kind: DraftKind<Value>): Value | null {
  const { user } = useAuth();
  const base = user && deviceKey(user.id, name + place);
  const subscribe = useCallback(
    (listener: () => void) => (base ? subscribeDevice(base, listener) : () => undefined),
    [base],
  );
  const text = useSyncExternalStore(subscribe, () => {
    const key = base && keyToContinue(base);
    return key && readDevice(key);
  });
  const stored = parse(text);
  return stored && kind.parse(stored.value);
}
