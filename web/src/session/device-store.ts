// Texts of a member that this browser keeps: in localStorage, or in memory where storage is forbidden or full.
const prefix = 'portia-device:';

/** Values that could not be stored: they last as long as the page. */
const memory = new Map<string, string>();
const listeners = new Map<string, Set<() => void>>();

/** Every key names its member, so that another member of this browser never gets the value. */
export const deviceKey = (memberId: string, name: string): string => `${prefix}${memberId}:${name}`;

export function readDevice(key: string): string | null {
  const kept = memory.get(key);
  if (kept !== undefined) return kept;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null removes the value. */
export function writeDevice(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    memory.delete(key);
  } catch {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
  notify(key);
}

/** The keys of all members that begin like this one. */
export function deviceKeys(start: string = prefix): string[] {
  const keys = new Set(memory.keys());
  try {
    for (const key of Object.keys(localStorage)) keys.add(key);
  } catch {
    // Only memory.
  }
  return [...keys].filter((key) => key.startsWith(start));
}

/** Removes everything of this member: after signing out. */
export function forgetMember(memberId: string): void {
  for (const key of deviceKeys(deviceKey(memberId, ''))) writeDevice(key, null);
}

/** Calls `listener` after every change of the value, in this tab and in others. */
export function subscribeDevice(key: string, listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  const own = listeners.get(key) ?? new Set();
  listeners.set(key, own.add(listener));
  return () => {
    own.delete(listener);
    if (own.size > 0 || listeners.get(key) !== own) return;
    listeners.delete(key);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

function notify(key: string): void {
  for (const listener of listeners.get(key) ?? []) listener();
}

/** Another tab has changed a value; without a key it has cleared all of them. */
function onStorage({ key }: StorageEvent): void {
  for (const changed of key === null ? listeners.keys() : [key]) notify(changed);
}
