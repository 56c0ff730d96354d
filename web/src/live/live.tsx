// The event stream of a signed-in member, while the layout is mounted.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { fetchSession } from '@/api/session';
import { useAuth } from '@/session/auth';
import { renewalQuestion } from '@/session/renewal';
import { dispatch, type LiveEvent } from './events';
import { joinElection } from './leader-election';
import { refetcher } from './refetches';

/** Renders nothing. */
export function Live({ memberId }: { memberId: string }) {
  const queryClient = useQueryClient();
  const { end, enter, update } = useAuth();

  /** The stream ends with the session: the client then acts as after any 401, with the member of the browser's current session. */
  const isSignedIn = useEffectEvent(async () => {
    const now = await fetchSession();
    if (now?.id === memberId) {
      update(now);
      return true;
    }
    // The member is signing in again in place; the screen below stays until then.
    if (!now && (await renewalQuestion.current()?.answer) === 'renewed') return true;
    if (now) enter(now);
    else end();
    return false;
  });

  useEffect(() => {
    const refetch = refetcher({ memberId, queryClient });
    const onEvent = (event: LiveEvent) => {
      refetch(event);
      dispatch(event);
    };
    return joinElection({ memberId, onEvent, isSignedIn: () => isSignedIn() });
  }, [memberId, queryClient]);

  // Its code must also be here when the member signs out without a network.
  useEffect(() => {
    const stopped = new AbortController();
    void import('@/session/session-end').then(
      ({ watchSession }) =>
        watchSession(memberId, () => void isSignedIn().catch(() => undefined), stopped.signal),
      () => undefined,
    );
    return () => stopped.abort();
  }, [memberId]);

  return null;
}
