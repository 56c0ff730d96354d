// The session query. Every page uses it, so it does not import the typed client, which later screens load.
import { queryOptions } from '@tanstack/react-query';
import { changeCacheOwner, finishSignOut, isSignOutPending } from './cache-owner';
import { takePreload } from './preload-cache';
import type { User } from './schema.gen';

/** The member of the session. */
export type Me = User & { moderator?: boolean; stewardOf?: string };

const address = '/api/auth/me';

/** Null for a visitor (401). Any other failure also counts as signed out; its text is never shown. */
export async function fetchSession(): Promise<Me | null> {
  // A member who signed out without a network is signed out here, whatever the server says.
  if (isSignOutPending() && !(await finishSignOut())) return null;
  // Without a network: the member who used this browser last, and did not sign out.
  const response = await sendOrKept();
  if (response.status === 401) {
    // An unread response blocks one of the browser's six connections.
    const problem = await response.text();
    // Otherwise a person ended it.
    await changeCacheOwner(null, problem.includes('SESSION_EXPIRED'));
    return null;
  }
  if (!response.ok) throw new Error(`${response.status}: session check failed`);
  const user = (await response.json()) as Me;
  await changeCacheOwner(user.id);
  return user;
}

const sendOrKept = () =>
  (takePreload(address) ?? fetch(address, { credentials: 'include' })).catch(async (failure: unknown) => {
    const { cachedSession } = await import('./response-cache');
    const kept = await cachedSession(address);
    if (!kept) throw failure;
    return kept;
  });

export const sessionQuery = queryOptions({ queryKey: ['/api/auth/me'], queryFn: fetchSession });
