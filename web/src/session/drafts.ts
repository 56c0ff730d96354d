// Drafts: unsent input per member and place, kept on this device until it is sent or discarded.
import { useState } from 'react';
import { useAuth } from './auth';
import { deviceKey, deviceKeys, readDevice, writeDevice } from './device-store';
import { useDeviceValue } from './use-device-value';

/** Older drafts are removed. */
const longestAge = 30 * 24 * 60 * 60 * 1_000;
/** The number of drafts per member; the oldest ones are removed. */
const most = 50;

const name = 'draft:';

interface Stored {
  /** The time of the last change, in milliseconds since 1970. */
  at: number;
  value: unknown;
}

function parse(text: string | null): Stored | null {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('value' in stored)) return null;
    const at = 'at' in stored && typeof stored.at === 'number' ? stored.at : 0;
    return Date.now() - at > longestAge ? null : { at, value: stored.value };
  } catch {
    return null;
  }
}

/** Removes drafts that are too old, of every member, and the oldest of a member with too many. */
function prune(memberId: string): void {
  const mine = deviceKey(memberId, name);
  const kept: { key: string; at: number }[] = [];
  for (const key of deviceKeys().filter((one) => one.includes(`:${name}`))) {
    const stored = parse(readDevice(key));
    if (!stored) writeDevice(key, null);
    else if (key.startsWith(mine)) kept.push({ key, at: stored.at });
  }
  kept.sort((one, other) => other.at - one.at);
  for (const { key } of kept.slice(most)) writeDevice(key, null);
}

/** The kind of a draft's value. */
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

/** A change of a stored text: empty while it says the same, or nothing. */
export const changedText = (stored: string): DraftKind<string> => ({
  ...textDraft,
  empty: stored,
  isEmpty: (text) => textDraft.isEmpty(text) || text.trim() === stored.trim(),
});

interface Draft<Value> {
  value: Value;
  /** Shows and keeps the value; an empty one removes the draft. */
  change: (value: Value) => void;
}

/** The place of a draft is unique per member, as in `comment <post id>`; null keeps nothing. */
export function useDraft<Value>(place: string | null, kind: DraftKind<Value>): Draft<Value> {
  const { user } = useAuth();
  const key = user && place !== null ? deviceKey(user.id, name + place) : null;
  const [shown, setShown] = useState(() => ({ key, value: restore(key, kind) }));
  // Another place or member has another draft.
  const current = shown.key === key ? shown : { key, value: restore(key, kind) };
  if (current !== shown) setShown(current);
  const change = (value: Value) => {
    setShown({ key, value });
    if (!key || !user) return;
    const isNew = readDevice(key) === null;
    writeDevice(key, kind.isEmpty(value) ? null : JSON.stringify({ at: Date.now(), value } satisfies Stored));
    if (isNew) prune(user.id);
  };
  return { value: current.value, change };
}

function restore<Value>(key: string | null, kind: DraftKind<Value>): Value {
  const stored = key === null ? null : parse(readDevice(key));
  return (stored && kind.parse(stored.value)) ?? kind.empty;
}

/** The kept draft of a place, for a hint outside its field; null if there is none. */
export function useKeptDraft<Value>(place: string, kind: DraftKind<Value>): Value | null {
  const { user } = useAuth();
  const stored = parse(useDeviceValue(user && deviceKey(user.id, name + place)));
  return stored && kind.parse(stored.value);
}
