// The right pane of Messages: one conversation, which is read while it is visible.
import { useQuery } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { type Thread as Loaded, threadQuery } from '@/api/conversations';
import { isUnknown } from '@/api/error';
import type { ConversationFolder, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { Composer } from './composer';
import { useDisplayName } from './display-name';
import { useMarkAsRead, useVisible } from './mark-as-read';
import { MessageList } from './message-list';
import { FormerNotice, messagesInRequest, WaitingNotice } from './notices';
import { useOutgoing } from './outgoing';
import { RequestBar } from './request-bar';
import { rowsOf } from './rows';
import { ThreadHeader, UnknownHeader } from './thread-header';
import { ThreadSkeleton } from './thread-skeleton';

interface ThreadProps {
  id: string;
  me: User;
  /** The folder of the list beside the thread. */
  folder: ConversationFolder;
}

export function Thread({ id, me, folder }: ThreadProps) {
  const { t } = useTranslation('messages');
  const visible = useVisible();
  // Fetching marks the thread as read, so a hidden tab does not fetch.
  const { data, error, isFetching, refetch } = useQuery({ ...threadQuery(id), enabled: visible });
  const thread = isUnknown(error) ? undefined : data;
  useMarkAsRead(thread, visible && !isFetching);
  if (thread) return <Conversation thread={thread} me={me} folder={folder} />;
  return (
    <>
      <UnknownHeader folder={folder} />
      {error ? (
        <div className="p-4">
          <ErrorPanel onRetry={() => void refetch()}>{t('threadFailed')}</ErrorPanel>
        </div>
      ) : (
        <ThreadSkeleton />
      )}
    </>
  );
}

function Conversation({ thread, me, folder }: { thread: Loaded; me: User; folder: ConversationFolder }) {
  const { t } = useTranslation('messages');
  const { conversation, messages, older } = thread;
  const { id, waiting } = conversation;
  const other = useDisplayName(conversation.otherUser);
  const { outgoing, send, retry, discard } = useOutgoing(me, id, messages);
  const rows = rowsOf({ messages, outgoing, me: me.id, hasOlder: older !== null });
  const isRequest = conversation.folder === 'requests';
  // Before acceptance, every message is the member's own.
  const full = waiting && rows.filter(({ state }) => state !== 'failed').length >= messagesInRequest;
  return (
    <>
      <ThreadHeader conversation={conversation} other={other} me={me} folder={folder} />
      {rows.length > 0 ? (
        <MessageList thread={thread} rows={rows} name={other.fullName} onRetry={retry} onDiscard={discard} />
      ) : (
        <div className="grid min-h-0 flex-1 place-content-center overflow-y-auto">
          <Empty icon={MessageCircle} title={t('noMessages')} />
        </div>
      )}
      {isRequest && <RequestBar conversation={conversation} other={other} me={me} folder={folder} />}
      {waiting && other.id && <WaitingNotice name={other.fullName} full={full} />}
      {!other.id ? (
        <FormerNotice />
      ) : (
        !full && (
          <Composer
            conversationId={id}
            sendsTyping={!isRequest}
            onSend={(content) => send(content, messages.at(-1)?.id ?? null)}
          />
        )
      )}
    </>
  );
}
