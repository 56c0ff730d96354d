// The events of the stream: they name changed resources and contain no data.
import { useEffect, useEffectEvent } from 'react';

interface EventPayloads {
  /** The stream is open: earlier events may have been missed. */
  hello: object;
  message: { conversationId: string; messageId: string; userId: string };
  /** `userId` has read the conversation. */
  'conversation-read': { conversationId: string; userId: string };
  /** The conversation was added, removed, or moved between folders. */
  conversation: { conversationId: string };
  /** The notifications or their count changed. */
  notification: object;
  typing: { conversationId: string; userId: string };
}

export type LiveKind = keyof EventPayloads;

/** An event, discriminated by its `kind`. */
export type LiveEvent<Kind extends LiveKind = LiveKind> = {
  [Each in Kind]: { kind: Each } & EventPayloads[Each];
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

/** Dispatches an event to the listeners of this tab. */
export function dispatch(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/** Calls `onEvent` for every event while the component is mounted. Cache invalidation belongs in `refetches.ts`. */
export function useLiveEvent(onEvent: (event: LiveEvent) => void): void {
  const latest = useEffectEvent(onEvent);
  useEffect(() => {
    const listener = (event: LiveEvent) => latest(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}
