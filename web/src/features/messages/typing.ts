// Sends and receives typing indicators: not stored, and failures are silent.
import { useEffect, useRef, useState } from 'react';
import { api, read } from '@/api/client';
import { useLiveEvent } from '@/live/events';

/** The minimum interval between two indicators, in milliseconds. */
const interval = 3_000;
/** The lifetime of a received indicator, in milliseconds. */
const lifetime = 5_000;

/** Sends a typing indicator to the other member. */
export function useSendTyping(conversationId: string): () => void {
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    if (Date.now() - sentAt.current < interval) return;
    sentAt.current = Date.now();
    const params = { path: { id: conversationId } };
    read(api.POST('/api/conversations/{id}/typing', { params })).catch(() => undefined);
  };
}

/** Whether the other member is typing. */
export function useIsTyping(conversationId: string, otherId: string | null): boolean {
  const [since, setSince] = useState<number | null>(null);
  useLiveEvent((event) => {
    if (!('conversationId' in event) || event.conversationId !== conversationId) return;
    if (event.kind === 'typing' && event.userId === otherId) setSince(performance.now());
    // The message has arrived.
    if (event.kind === 'message' && event.userId === otherId) setSince(null);
  });
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSince(null), lifetime);
    return () => clearTimeout(timer);
  }, [since]);
  return since !== null;
}
