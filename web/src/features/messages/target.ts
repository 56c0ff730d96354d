// The message that the address of a thread names: a quote or a search result shows it at its place.
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { ConversationFolder } from '@/api/schema.gen';
import { messageIn, threadIn } from '@/message-paths';

export interface Target {
  /** Null: the thread shows its newest messages. */
  id: string | null;
  /** Another one for each time that the message is to be shown. */
  time: string;
  show: (messageId: string) => void;
  leave: () => void;
}

export function useTarget(conversationId: string, folder: ConversationFolder): Target {
  const id = useSearchParams()[0].get('message');
  const { key } = useLocation();
  const navigate = useNavigate();
  return {
    id,
    time: key,
    show: (messageId) => void navigate(messageIn(folder, conversationId, messageId), { replace: true }),
    leave: () => {
      if (id) void navigate(threadIn(folder, conversationId), { replace: true });
    },
  };
}
