// The properties of a thread that its messages use.
import { createContext, use } from 'react';
import type { Message, User } from '@/api/schema.gen';

interface ThreadParts {
  me: User;
  /** The displayed name of a participant. */
  nameOf: (userId: string | null) => string;
  /** Quotes the message in the composer. */
  reply: (message: Message) => void;
  /** Opens the message in place of the composer. */
  edit: (message: Message) => void;
  /** Shows a message at its place. */
  show: (messageId: string) => void;
  canWrite: boolean;
  /** The member has not accepted the request: attachments are not shown. */
  isRequest: boolean;
}

export const ThreadContext = createContext<ThreadParts | null>(null);

export function useThread(): ThreadParts {
  const parts = use(ThreadContext);
  if (!parts) throw new Error('useThread outside of a thread');
  return parts;
}
