// Leaves as a visitor, and removes what this browser keeps of the member: the next person here must not find it.
import { useAuth } from './auth';
import { forgetMember } from './device-store';
import { endPush } from './push';

/** Call after the server has signed the member out. */
export function useLeaveBrowser(): () => void {
  const { user, leave } = useAuth();
  return () => {
    if (user) {
      forgetMember(user.id);
      void import('./file-store').then(({ forgetFiles }) => forgetFiles(user.id)).catch(() => undefined);
    }
    void endPush().catch(() => undefined);
    leave();
  };
}
