// The event stream of a signed-in member, while the layout is mounted.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { sessionQuery } from '@/api/session';
import { useAuth } from '@/session/auth';
import { dispatch, type LiveEvent } from './events';
import { joinElection } from './leader-election';
import { refetcher } from './refetches';

/** Renders nothing. */
export function Live({ memberId }: { memberId: string }) {
  const queryClient = useQueryClient();
  const { end, enter } = useAuth();

  /** The stream ends with the session: the client then acts as after any 401, with the member of the browser's current session. */
  const isSignedIn = useEffectEvent(async () => {
    const now = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (!now) end();
    else if (now.id !== memberId) enter(now);
    return now?.id === memberId;
  });

  useEffect(() => {
    const refetch = refetcher({ memberId, queryClient });
    const onEvent = (event: LiveEvent) => {
      refetch(event);
      dispatch(event);
    };
    return joinElection({ memberId, onEvent, isSignedIn: () => isSignedIn() });
  }, [memberId, queryClient]);

  return null;
}
