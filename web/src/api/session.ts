// Who is signed in: the one read every page makes, without the typed client, which comes with the screens that call more.
import { queryOptions } from '@tanstack/react-query';
import { preloaded } from './preloaded';
import type { User } from './types';

/** Null for a visitor (401). Any other failure counts as signed out too, so its words are never shown. */
async function whoIsThere(): Promise<User | null> {
  const response = await (preloaded('/api/auth/me') ?? fetch('/api/auth/me', { credentials: 'include' }));
  if (response.status === 401) {
    // An answer that is not read to its end keeps one of the browser's six connections.
    await response.text();
    return null;
  }
  if (!response.ok) throw new Error(`${response.status}: session check failed`);
  return (await response.json()) as User;
}

export const sessionQuery = queryOptions({ queryKey: ['/api/auth/me'], queryFn: whoIsThere });
