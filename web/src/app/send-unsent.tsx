// Sends what the member has not sent, on every screen: when the client starts, and when network or server return.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { boxesOf } from '@/features/messages/outbox-key';
import { postingsKey } from '@/features/posts/postings-key';
import { useLiveEvent } from '@/live/events';
import { readDevice } from '@/session/device-store';

/** Renders nothing. The code of an outbox loads only if there is something to send. */
export function SendUnsent({ memberId }: { memberId: string }) {
  const queryClient = useQueryClient();
  const send = useEffectEvent(() => {
    // Still offline: the next event retries.
    const later = () => undefined;
    if (boxesOf(memberId).length > 0)
      import('@/features/messages/outbox').then(
        ({ sendMessages }) => sendMessages(memberId, queryClient),
        later,
      );
    if (readDevice(postingsKey(memberId)) !== null)
      import('@/features/posts/postings-outbox').then(
        ({ sendPostings }) => sendPostings(memberId, queryClient),
        later,
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
