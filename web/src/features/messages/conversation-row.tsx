// A conversation in the list: the other member or the group, the last message or the draft, its time, and the unread count.
import { BellOff } from 'lucide-react';
import { Link } from 'react-router';
import type { Conversation, ConversationFolder } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { threadIn } from '@/message-paths';
import { useAuth } from '@/session/auth';
import { textDraft, useKeptDraft } from '@/session/drafts';
import { Count } from '@/ui/count';
import { VerifiedMark } from '@/ui/verified-mark';
import { useAttachmentText } from './attachment-text';
import { ConversationAvatar } from './conversation-avatar';
import { useDisplayName } from './display-name';
import { filesDraft, filesPlace, summaryOf } from './draft-files';
import { messageTime } from './message-time';
import { useSystemLine } from './system-line';

interface ConversationRowProps {
  conversation: Conversation;
  folder: ConversationFolder;
  selected: boolean;
}

export function ConversationRow({ conversation, folder, selected }: ConversationRowProps) {
  const { t, i18n } = useTranslation(['messages', 'shell']);
  const { id, lastMessageAt, unreadCount, muted } = conversation;
  const otherUser = useDisplayName(conversation);
  // An open conversation is read, even before the list is updated.
  const unread = unreadCount > 0 && !selected;
  const stands = unread && !muted;
  return (
    <Link
      to={threadIn(folder, id)}
      aria-current={selected ? 'true' : undefined}
      className={`relative flex gap-3 px-4 py-3 -outline-offset-2 ${selected ? 'bg-selected before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-gold' : 'hover:bg-hover'}`}
    >
      <ConversationAvatar conversation={conversation} other={otherUser} size={44} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="truncate text-ui font-semibold">{otherUser.fullName}</span>
          {!conversation.group && <VerifiedMark member={otherUser} className="-ml-1 self-center" />}
          {muted && (
            <BellOff
              role="img"
              aria-label={t('muted')}
              className="size-3.5 shrink-0 self-center text-muted-foreground"
            />
          )}
          <span
            className={`ml-auto shrink-0 text-micro tabular-nums ${stands ? 'font-semibold text-gold-text' : 'text-muted-foreground'}`}
          >
            {messageTime(i18n.language, lastMessageAt)}
          </span>
        </span>
        <span className="block truncate text-micro text-muted-foreground">{otherUser.headline}</span>
        <span className="mt-0.5 flex items-center gap-2">
          <LastMessage conversation={conversation} selected={selected} unread={stands} />
          {unread && (
            <Count
              value={unreadCount}
              unread={!muted}
              label={t('shell:nav.unread', { count: unreadCount })}
              className="ml-auto shrink-0"
            />
          )}
        </span>
      </span>
    </Link>
  );
}

interface LastMessageProps {
  conversation: Conversation;
  selected: boolean;
  unread: boolean;
}

/** The newest message; or the draft of the member, unless it is on screen. */
function LastMessage({ conversation, selected, unread }: LastMessageProps) {
  const { t } = useTranslation('messages');
  const { user } = useAuth();
  const lineText = useSystemLine(user?.id);
  const { id, lastMessage, lastMessageDeleted, lastSystemLine, lastSender, lastAttachments } = conversation;
  const attachmentText = useAttachmentText();
  const files = summaryOf(useKeptDraft(filesPlace(id), filesDraft) ?? []);
  const draft = useKeptDraft(`conversation ${id}`, textDraft)?.trim() || attachmentText(files);
  const shown = lastMessage || attachmentText(lastAttachments, 'sent');
  const look = 'truncate text-caption';
  if (draft && !selected)
    return (
      <span className={`${look} text-muted-foreground`}>
        <span className="font-medium text-gold-text">{t('draft')}</span> <bdi>{draft}</bdi>
      </span>
    );
  if (lastSystemLine)
    return (
      <em className={`${look} text-muted-foreground`}>{lineText(lastSystemLine, lastSender ?? null)}</em>
    );
  if (lastMessageDeleted) return <em className={`${look} text-muted-foreground`}>{t('messageDeleted')}</em>;
  return (
    <span
      dir="auto"
      className={`${look} ${unread ? 'font-medium text-foreground' : 'text-muted-foreground'}`}
    >
      {lastSender && shown && (
        <bdi className="text-muted-foreground">
          {lastSender.id === null ? t('former') : lastSender.id === user?.id ? t('you') : lastSender.fullName}
          :{' '}
        </bdi>
      )}
      {shown}
    </span>
  );
}
