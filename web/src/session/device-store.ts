// Texts of a member that this browser keeps: in localStorage, or in memory where storage is forbidden or full, and on a shared
// computer.
import { storedKeys } from '@/api/cache-owner';
import { deviceOwner } from '@/api/device-owner';

const prefix = 'portia-device:';

/** The id of this page. The key of a draft ends with `@<page>`; when its page is gone, with `@-<page>` or nothing. */
export const page = Math.random().toString(36).slice(2);

/** Values that could or must not be stored: they last as long as the page. */
export const memory = new Map<string, string>();
const listeners = new Map<string, Set<() => void>>();

/** Every key names its member, so that another member of this browser never gets the value. */
export const deviceKey = (memberId: string, name: string): string => `${prefix}${memberId}:${name}`;

export const memberOf = (key: string): string | undefined => key.split(':')[1];
/** The session of the member is in this browser, and the computer is not shared. */
export const mayStore = (key: string): boolean => memberOf(key) === deviceOwner();

export function readDevice(key: string): string | null {
  const kept = memory.get(key);
  if (kept !== undefined) return kept;
  try {
    return mayStore(key) ? localStorage.getItem(key) : null;
  } catch {
    return null;
  }
}

/** Null removes the value. */
export function writeDevice(key: string, value: string | null): void {
  let isStored = value === null;
  try {
    if (value === null) localStorage.removeItem(key);
    else if (mayStore(key)) {
      localStorage.setItem(key, value);
      isStored = true;
    }
  } catch {
    // Storage is forbidden or full.
  }
  if (value === null || isStored) memory.delete(key);
  else memory.set(key, value);
  notify(key);
}

/** The keys of all members that begin like this one, in memory and in localStorage. */
export function deviceKeys(start: string = prefix): string[] {
  return [...new Set([...memory.keys(), ...storedKeys()])].filter((key) => key.startsWith(start));
}

/** Calls `listener` after every change of the value and of those whose keys go on with `@`, in this tab and in others. */
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

export function notify(key: string): void {
  for (const name of new Set([key, key.replace(/@.*/, '')]))
    for (const listener of listeners.get(name) ?? []) listener();
}

/** Another tab has changed a value; without a key it has cleared all of them. */
function onStorage({ key }: StorageEvent): void {
  for (const changed of key === null ? listeners.keys() : [key]) notify(changed);
}
