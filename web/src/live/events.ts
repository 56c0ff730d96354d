// The events of the stream: they name changed resources and contain no data.
import { useEffect, useEffectEvent } from 'react';

/** The state of a post on the server when this browser began to show it. */
export interface PostVersion {
  id: string;
  likeCount: number;
  commentCount: number;
  shareCount: number;
  editedAt: string | null;
}

interface EventPayloads {
  /** The stream is open: earlier events may have been missed. Without an id: another tab's stream. */
  hello: { streamId?: string };
  message: { conversationId: string; messageId: string; userId: string };
  /** The message was edited or deleted, or its reactions changed. */
  'message-changed': { conversationId: string; messageId: string };
  /** `userId` has read the conversation. */
  'conversation-read': { conversationId: string; userId: string };
  /** The conversation was added, removed, moved between folders, muted or unmuted. */
  conversation: { conversationId: string };
  /** The notifications or their count changed. */
  notification: object;
  typing: { conversationId: string; userId: string };
  /** A connection or request between the two was made, answered or removed. */
  connection: { connectionId: string; requesterId: string; recipientId: string };
  /** The post was edited or deleted; or the list (`feed`, `community:{id}`, `member:{id}`) has posts created at or after `since`. */
  post: { postId: string; list: null; since: null } | { postId: null; list: string; since: string };
  /** The comments of the post changed. */
  comment: { postId: string };
  /** The reactions or counters of the post changed. */
  reaction: { postId: string };
  /** A membership of the community changed. */
  membership: { communityId: string };
  /** The event or its attendees changed. */
  event: { eventId: string };
  /** An application of this member changed. */
  application: { applicationId: string };
  /** The profile of the member changed. */
  profile: { userId: string };
  /** Not from the stream: the answer of the gateway to the posts that this browser shows. */
  versions: { posts: PostVersion[] };
}

export type LiveKind = keyof EventPayloads;
export type LiveEvent<Kind extends LiveKind = LiveKind> = {
  [Each in Kind]: { kind: Each } & EventPayloads[Each];
}[Kind];
export const liveKinds = [
  'hello',
  'message',
  'message-changed',
  'conversation-read',
  'conversation',
  'notification',
  'typing',
  'connection',
  'post',
  'comment',
  'reaction',
  'membership',
  'event',
  'application',
  'profile',
] as const satisfies LiveKind[];

const listeners = new Set<(event: LiveEvent) => void>();

/** Dispatches an event to the listeners of this tab. */
export function dispatch(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/** Calls `onEvent` for every event while the component is mounted. Cache updates belong in `refetches.ts`. */
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
