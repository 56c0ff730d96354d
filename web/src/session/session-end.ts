// The end of a session on this device: everything that the browser stores of its member is removed, and a sign-out without a
// network is completed at the server. Loads with the controls of a member, so that it is there without a network.
import { cacheOwner, isSignOutPending, storedKeys } from '@/api/cache-owner';
import { api, read } from '@/api/client';
import { deviceOwner } from '@/api/device-owner';
import { ApiError } from '@/api/error';
import { cacheMark, expiryOf, forgetOthers } from '@/api/response-cache';
import type { Me } from '@/api/session';
import { deviceKey, deviceKeys, mayStore, memberOf, memory, notify, writeDevice } from './device-store';
import { endPush } from './push';
import { signOutQuestion } from './sign-out-question';

/** Marks in localStorage that the member signed out without a network. Also read by api/cache-owner.ts and app/preload.js. */
const signOutMark = 'portia-signed-out';
/** Unsent work of an expired session stays for the same member for this time, in milliseconds. */
const expiredKept = 24 * 60 * 60 * 1_000;
/** Milliseconds: later, the network counts as missing, and the sign-out is tried again. */
const longestSignOut = 10_000;
/** Milliseconds: a database that another tab blocks holds nothing back. */
const longestRemoval = 5_000;

/**
 * Removes everything that this browser stores of members except `memberId`, and of this one on a shared computer. `isExpired`: no
 * person ended the session, so the member's unsent work stays for a day; another member's sign-in removes it.
 */
export async function forget(memberId: string | null, isExpired = false): Promise<void> {
  const owner = deviceOwner();
  const returning = memberId === null && isExpired && owner && isWithinDay(owner) ? owner : null;
  const kept = memberId ?? returning;
  // No other tab stores anything from now on.
  if (kept === null) disownDevice();
  const own = deviceKey(memberId ?? '', 'push');
  const hasPush = storedKeys().some((key) => key.endsWith(':push') && key !== own);
  forgetOnDevice(kept);
  if (returning)
    for (const key of storedKeys()) if (!isUnsentWork(returning, key)) localStorage.removeItem(key);
  const removals = [
    forgetOthers(cacheOwner),
    import('./file-store').then(({ forgetFilesOfOthers }) => forgetFilesOfOthers(kept)),
    memberId !== owner || hasPush ? endPush() : undefined,
  ];
  await Promise.race([
    Promise.allSettled(removals),
    new Promise((resolve) => setTimeout(resolve, longestRemoval)),
  ]);
}

/** Removes everything of all members but this one, and on a shared computer what is stored of this one. */
function forgetOnDevice(memberId: string | null): void {
  for (const key of [...memory.keys()]) if (memberOf(key) !== memberId) writeDevice(key, null);
  for (const key of storedKeys())
    if (memberOf(key) !== memberId || !mayStore(key)) {
      localStorage.removeItem(key);
      notify(key);
    }
}

/** Whether the member's session expired less than a day ago; notes its end, which may be long before this browser learned of it. */
function isWithinDay(memberId: string): boolean {
  try {
    const expiredAt = Math.min(expiryOf(memberId) || Date.now(), Date.now());
    localStorage.setItem(cacheMark(memberId), String(expiredAt));
    return Date.now() - expiredAt < expiredKept;
  } catch {
    return false;
  }
}

const isUnsentWork = (memberId: string, key: string): boolean =>
  key === cacheMark(memberId) ||
  ['draft:', 'outbox:', 'postings'].some((name) => key.startsWith(deviceKey(memberId, name)));

/** Deletes the cookie of the device: the server deletes it with the session, but not without a network. */
function disownDevice(): void {
  for (const [, name = ''] of document.cookie.matchAll(/((?:__Host-)?portia_own_device)=/g)) {
    const secure = name.startsWith('_') ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and not in every browser.
    document.cookie = `${name}=; Path=/; Max-Age=0${secure}`;
  }
}

/** Whether something waits to be sent: it would be lost. */
const hasUnsent = (memberId: string): boolean =>
  ['outbox:', 'postings'].some((name) => deviceKeys(deviceKey(memberId, name)).length > 0);

/** Signs out on the server first, then here; a refusal of the server is only logged (specification, section 8). */
export async function signOut(user: Me | null, leave: () => void): Promise<void> {
  if (user && hasUnsent(user.id) && (await signOutQuestion.ask(user)) === 'stay') return;
  try {
    await read(api.POST('/api/auth/logout', { body: {}, signal: AbortSignal.timeout(longestSignOut) }));
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: required by the specification.
    console.error(error);
    if (error instanceof ApiError || !postponeSignOut()) return;
  }
  leave();
}

/** The member signed out, and the server cannot be told yet. False where storage is forbidden: nothing could tell it later. */
function postponeSignOut(): boolean {
  try {
    localStorage.setItem(signOutMark, '');
    return true;
  } catch {
    return false;
  }
}

let running: Promise<boolean> | null = null;

/** Completes a sign-out at the server; false while it cannot be reached. */
export function finishSignOut(): Promise<boolean> {
  running ??= send().finally(() => {
    running = null;
  });
  return running;
}

async function send(): Promise<boolean> {
  try {
    const response = await fetch('/api/auth/logout', {
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(longestSignOut),
    });
    if (!response.ok) return false;
    localStorage.removeItem(signOutMark);
    return true;
  } catch {
    return false;
  }
}

window.addEventListener('online', () => {
  if (isSignOutPending()) void finishSignOut();
});

/** Calls `check` when another tab has signed out, perhaps without a network, and when the browser shows a former page again. */
export function watchSession(memberId: string, check: () => void, signal: AbortSignal): void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === (newValue === null ? cacheMark(memberId) : signOutMark)) check();
  };
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) check();
  };
  window.addEventListener('storage', onStorage, { signal });
  window.addEventListener('pageshow', onShow, { signal });
}
