// The session query. Every page uses it, so it does not import the typed client, which later screens load.
import { queryOptions } from '@tanstack/react-query';
import { changeKeeper, keeper } from './keeper';
import { preloaded } from './preloaded';
import type { Me } from './types';

const address = '/api/auth/me';

/** Null for a visitor (401). Any other failure also counts as signed out; its text is never shown. */
export async function fetchSession(): Promise<Me | null> {
  // Without a network: the member who used this browser last, and did not sign out.
  const response = await sendOrKept();
  if (response.status === 401) {
    // An unread response blocks one of the browser's six connections.
    await response.text();
    changeKeeper(null);
    return null;
  }
  if (!response.ok) throw new Error(`${response.status}: session check failed`);
  const user = (await response.json()) as Me;
  changeKeeper(user.id);
  return user;
}

const sendOrKept = () =>
  (preloaded(address) ?? fetch(address, { credentials: 'include' })).catch(async (failure: unknown) => {
    const { keptResponse } = await import('./stored-responses');
    const kept = await keptResponse(keeper, address);
    if (!kept) throw failure;
    return kept;
  });

export const sessionQuery = queryOptions({ queryKey: ['/api/auth/me'], queryFn: fetchSession });
