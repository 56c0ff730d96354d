// The draft of a field: restored, changed, and removed with its input.
import { useState, useSyncExternalStore } from 'react';
import { useAuth } from './auth';
import { deviceKey, deviceKeys, readDevice, writeDevice } from './device-store';
import { onLeft, timesLeft } from './draft-pages';
import { type DraftKind, keyToContinue, name, ownKey, parse, type Stored, textDraft } from './drafts';

/** The number of drafts per member; the oldest ones are removed. */
const most = 50;

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
  const base = user && place !== null ? deviceKey(user.id, name + place) : null;
  const left = useSyncExternalStore(onLeft, timesLeft);
  const [shown, setShown] = useState(() => restore(base, kind, left));
  // Another place or member has another draft.
  const isCurrent = shown.base === base && (shown.isChanged || shown.left === left);
  const current = isCurrent ? shown : restore(base, kind, left);
  if (current !== shown) setShown(current);
  const change = (value: Value) => {
    setShown({ ...current, value, isChanged: true });
    if (!base || !user) return;
    const own = ownKey(base);
    const isNew = readDevice(own) === null;
    writeDevice(own, kind.isEmpty(value) ? null : JSON.stringify({ at: Date.now(), value } satisfies Stored));
    // The draft goes on here, unless another tab has changed it.
    const { key, text } = current;
    if (key && key !== own && readDevice(key) === text) writeDevice(key, null);
    if (isNew) prune(user.id);
  };
  return { value: current.value, change };
}

function restore<Value>(base: string | null, kind: DraftKind<Value>, left: number) {
  const key = base && keyToContinue(base);
  const text = key && readDevice(key);
  const stored = parse(text);
  const value = (stored && kind.parse(stored.value)) ?? kind.empty;
  return { base, key, text, value, left, isChanged: false };
}
