// Sends and receives typing indicators: not stored, and failures are silent.
import { useEffect, useRef, useState } from 'react';
import { api, read } from '@/api/client';
import { useLiveEvent } from '@/live/events';

/** The minimum interval between two indicators, in milliseconds. */
const interval = 3_000;
/** The lifetime of a received indicator, in milliseconds. */
const lifetime = 5_000;

/** Sends a typing indicator to the other members. */
export function useSendTyping(conversationId: string): () => void {
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    if (Date.now() - sentAt.current < interval) return;
    sentAt.current = Date.now();
    const params = { path: { id: conversationId } };
    read(api.POST('/api/conversations/{id}/typing', { params })).catch(() => undefined);
  };
}

/** The id of another member who is typing, the latest one; null if none is. */
export function useTyping(conversationId: string, me: string): string | null {
  const [typing, setTyping] = useState<{ userId: string; since: number } | null>(null);
  useLiveEvent((event) => {
    if (!('conversationId' in event) || event.conversationId !== conversationId) return;
    if (event.kind === 'typing' && event.userId !== me)
      setTyping({ userId: event.userId, since: performance.now() });
    // The message has arrived.
    if (event.kind === 'message') setTyping((now) => (now?.userId === event.userId ? null : now));
  });
  useEffect(() => {
    if (typing === null) return;
    const timer = setTimeout(() => setTyping(null), lifetime);
    return () => clearTimeout(timer);
  }, [typing]);
  return typing?.userId ?? null;
}
