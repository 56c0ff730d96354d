// A conversation in the list: the other member, the last message, its time, and the unread count.

import { Link } from 'react-router';
import type { Conversation, ConversationFolder } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Count } from '@/ui/count';
import { threadIn } from './addresses';
import { useDisplayName } from './display-name';
import { messageTime } from './message-time';

interface ConversationRowProps {
  conversation: Conversation;
  folder: ConversationFolder;
  selected: boolean;
}

export function ConversationRow({ conversation, folder, selected }: ConversationRowProps) {
  const { i18n } = useTranslation('messages');
  const { id, lastMessage, lastMessageAt, unreadCount } = conversation;
  const otherUser = useDisplayName(conversation.otherUser);
  // An open conversation is read, even before the list is updated.
  const unread = unreadCount > 0 && !selected;
  return (
    <Link
      to={threadIn(folder, id)}
      aria-current={selected ? 'true' : undefined}
      className={`relative flex gap-3 px-4 py-3 -outline-offset-2 ${selected ? 'bg-selected before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-gold' : 'hover:bg-hover'}`}
    >
      <Avatar user={otherUser} size={44} decorative />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="truncate text-ui font-semibold">{otherUser.fullName}</span>
          <span
            className={`ml-auto shrink-0 text-micro tabular-nums ${unread ? 'font-semibold text-gold-text' : 'text-muted-foreground'}`}
          >
            {messageTime(i18n.language, lastMessageAt)}
          </span>
        </span>
        <span className="block truncate text-micro text-muted-foreground">{otherUser.headline}</span>
        <span className="mt-0.5 flex items-center gap-2">
          <span
            className={`truncate text-caption ${unread ? 'font-medium text-foreground' : 'text-muted-foreground'}`}
          >
            {lastMessage}
          </span>
          {unread && <Count value={unreadCount} unread className="ml-auto shrink-0" />}
        </span>
      </span>
    </Link>
  );
}
