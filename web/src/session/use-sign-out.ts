// Signs out: on the server first, then home as a visitor. Without a network the member is signed out here at once, and on the server
// as soon as it can be reached.
import { useAuth } from './auth';

export function useSignOut(): () => Promise<void> {
  const { user, leave } = useAuth();
  return async () => {
    const { signOut } = await import('./session-end');
    await signOut(user, leave);
  };
}
