// Sends the unsent messages of the member on every screen: when the client starts, and when network or server return.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLiveEvent } from '@/live/events';
import { boxesOf } from './outbox-key';

/** Renders nothing. The code of the outbox loads only if there is something to send. */
export function SendUnsent({ memberId }: { memberId: string }) {
  const queryClient = useQueryClient();
  const send = useEffectEvent(() => {
    if (boxesOf(memberId).length === 0) return;
    import('./outbox').then(
      ({ sendOutbox }) => sendOutbox(memberId, queryClient),
      // Still offline: the next event retries.
      () => undefined,
    );
  });
  // The stream is open again.
  useLiveEvent(({ kind }) => {
    if (kind === 'hello') send();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each member.
  useEffect(() => {
    const onOnline = () => send();
    onOnline();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [memberId]);
  return null;
}
