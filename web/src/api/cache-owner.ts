// The member whose reads this browser keeps copies of (response-cache.ts), and what the browser knows of its session before any
// request. Apart, because the landing page needs no more of it.
import type { CacheOwner } from './response-cache';

let settle: () => void = () => undefined;
const known = new Promise<void>((settled) => {
  settle = settled;
});

export const cacheOwner: CacheOwner = { memberId: undefined, known };

/** Nothing where storage is forbidden. */
function allKeys(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** The keys of all members in localStorage: `portia-<name>:<member id>`, with or without more after another colon. */
export const storedKeys = (): string[] => allKeys().filter((key) => /^portia-.+?:/.test(key));

/** Whether the member signed out without a network: the server still has the session (session/session-end.ts). */
export const isSignOutPending = (): boolean => allKeys().includes('portia-signed-out');

interface SessionEnd {
  /** Completes a sign-out at the server; false while it cannot be reached. */
  finishSignOut: () => Promise<boolean>;
  /**
   * Removes everything that this browser stores of members except `memberId`; if its session is expired, unsent work stays for a
   * day.
   */
  forget: (memberId: string | null, isExpired?: boolean) => Promise<void>;
}

let loadEnd: () => Promise<SessionEnd>;

/** The session layer provides it. */
export function provideSessionEnd(load: () => Promise<SessionEnd>): void {
  loadEnd = load;
}

/** False while the server cannot be reached. */
export const finishSignOut = async (): Promise<boolean> => (await loadEnd()).finishSignOut();

/** Call after every change of the session. Resolves when nothing of another member is stored any more. */
export async function changeCacheOwner(memberId: string | null, isExpired?: boolean): Promise<void> {
  const before = cacheOwner.memberId;
  cacheOwner.memberId = memberId;
  settle();
  const own = document.cookie.includes(`own_device=${memberId}`) && `:${memberId}`;
  if ((before && before !== memberId) || storedKeys().some((key) => !(own && key.includes(own))))
    await (await loadEnd()).forget(memberId, isExpired);
}
