// Signs out: on the server first, then home as a visitor; a refusal of the server is only logged (specification, section 8). Without a
// network the member is signed out here at once, and on the server as soon as it can be reached.
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { useAuth } from './auth';
import { deviceKey, deviceKeys } from './device-store';
import { signOutQuestion } from './sign-out-question';

/** Milliseconds: later, the network counts as missing. */
const longestWait = 10_000;

/** Whether something waits to be sent: it would be lost. */
const hasUnsent = (memberId: string): boolean =>
  ['outbox:', 'postings'].some((name) => deviceKeys(deviceKey(memberId, name)).length > 0);

export function useSignOut(): () => Promise<void> {
  const { user, leave } = useAuth();
  return async () => {
    if (user && hasUnsent(user.id) && (await signOutQuestion.ask(user)) === 'stay') return;
    try {
      await read(api.POST('/api/auth/logout', { body: {}, signal: AbortSignal.timeout(longestWait) }));
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: required by the specification.
      console.error(error);
      if (error instanceof ApiError || !(await import('./session-end')).postponeSignOut()) return;
    }
    leave();
  };
}
