// What the live line says: where to look, never what there is to see.
import { useEffect, useEffectEvent } from 'react';

interface Said {
  /** The line is open: whatever happened before may have been missed. */
  hello: object;
  message: { conversationId: string; messageId: string; userId: string };
  /** `userId` has read it. */
  'conversation-read': { conversationId: string; userId: string };
  /** It appeared, left, or moved between folders. */
  conversation: { conversationId: string };
  /** The notifications or their count changed. */
  notification: object;
  typing: { conversationId: string; userId: string };
}

export type LiveKind = keyof Said;

/** One event, told apart by its `kind`. */
export type LiveEvent<Kind extends LiveKind = LiveKind> = {
  [Each in Kind]: { kind: Each } & Said[Each];
}[Kind];

export const liveKinds = [
  'hello',
  'message',
  'conversation-read',
  'conversation',
  'notification',
  'typing',
] as const satisfies LiveKind[];

const listeners = new Set<(event: LiveEvent) => void>();

/** Passes on what this tab has heard. */
export function tell(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/** Hears every event while the component is on screen. What only makes the cache old belongs into `refetches.ts`. */
export function useLiveEvent(hear: (event: LiveEvent) => void): void {
  const latest = useEffectEvent(hear);
  useEffect(() => {
    const listener = (event: LiveEvent) => latest(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}
