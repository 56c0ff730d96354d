// Where the unread messages of a thread begin, as it was when the member opened it.
import { useState } from 'react';
import type { Thread } from '@/api/conversations';
import type { Conversation } from '@/api/schema.gen';

interface OpenedThread {
  thread: Thread | undefined;
  isFetching: boolean;
  isVisible: boolean;
  /** The number of unread messages that the list beside the thread shows. */
  listed: number;
  me: string;
}

interface Opening {
  /** The conversation as it was cached when the thread came on screen. */
  before: Conversation | undefined;
  /** The member sees messages that arrive from now on. */
  settled: boolean;
  mark: string | null;
}

/**
 * The id of the first message that was unread when the thread was opened, or when its tab became visible again. The response
 * that marks a thread as read still has the number of messages that were unread before it.
 */
export function useUnreadMark({ thread, isFetching, isVisible, listed, me }: OpenedThread): string | null {
  const conversation = thread?.conversation;
  const [opening, setOpening] = useState<Opening>({ before: conversation, settled: false, mark: null });
  if (!isVisible) {
    if (opening.settled) setOpening({ ...opening, before: conversation, settled: false });
  } else if (thread && !opening.settled && !isFetching) {
    if (conversation !== opening.before)
      setOpening({ ...opening, settled: true, mark: firstUnread(thread, me) ?? opening.mark });
    else if (listed === 0) setOpening({ ...opening, settled: true });
  }
  return opening.mark;
}

/** The first loaded one, if there are unread messages on older pages as well. */
function firstUnread({ conversation, messages }: Thread, me: string): string | null {
  if (conversation.unreadCount === 0) return null;
  const others = messages.filter(({ userId, systemLine }) => userId !== me && !systemLine);
  return others.at(-Math.min(conversation.unreadCount, others.length))?.id ?? null;
}
