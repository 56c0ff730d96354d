// The session query. Every page uses it, so it does not import the typed client, which later screens load.
import { queryOptions } from '@tanstack/react-query';
import { preloaded } from './preloaded';
import type { User } from './types';

/** Null for a visitor (401). Any other failure also counts as signed out; its text is never shown. */
export async function fetchSession(): Promise<User | null> {
  const response = await (preloaded('/api/auth/me') ?? fetch('/api/auth/me', { credentials: 'include' }));
  if (response.status === 401) {
    // An unread response blocks one of the browser's six connections.
    await response.text();
    return null;
  }
  if (!response.ok) throw new Error(`${response.status}: session check failed`);
  return (await response.json()) as User;
}

export const sessionQuery = queryOptions({ queryKey: ['/api/auth/me'], queryFn: fetchSession });
