// The right pane of Messages: one conversation, which is read while it is visible.
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, Clock, MessageCircle, UserRoundX } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { aroundQuery, type Thread as Loaded, threadKey, threadQuery } from '@/api/conversations';
import { isUnknown } from '@/api/error';
import { groupMembersQuery } from '@/api/groups';
import type { ConversationFolder, Message, RepliedMessage, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { Loading } from '@/ui/skeleton';
import { Composer } from './composer';
import { useDisplayName } from './display-name';
import { attachedTo } from './draft-files';
import { EditForm } from './edit-form';
import { useListed, useMarkAsRead, useVisible } from './mark-as-read';
import { MessageList } from './message-list';
import { lastChangeable } from './message-mutations';
import { useOutgoingMessages } from './outgoing-messages';
import { GroupRequestBar, RequestBar } from './request-bar';
import { rowsOf } from './rows';
import { type Target, useTarget } from './target';
import { ThreadContext } from './thread-context';
import { ThreadHeader, UnknownHeader } from './thread-header';
import { useUnreadMark } from './unread-mark';

interface ThreadProps {
  id: string;
  me: User;
  /** The folder of the list beside the thread. */
  folder: ConversationFolder;
}

export function Thread({ id, me, folder }: ThreadProps) {
  const { t } = useTranslation('messages');
  const visible = useVisible();
  const target = useTarget(id, folder);
  // Fetching marks the thread as read, so a hidden tab does not fetch.
  const { data, error, isFetching, refetch } = useQuery({ ...threadQuery(id), enabled: visible });
  const thread = isUnknown(error) ? undefined : data;
  const listed = useListed(thread?.conversation);
  const unreadFrom = useUnreadMark({
    thread,
    isFetching,
    isVisible: visible,
    listed: listed?.unreadCount ?? 0,
    me: me.id,
  });
  useMarkAsRead(thread, listed, visible && !isFetching);
  // A message that is not in the loaded part has a page of its own.
  const isLoaded = !target.id || !thread || thread.messages.some((message) => message.id === target.id);
  const around = useQuery({ ...aroundQuery(id, target.id ?? ''), enabled: visible && !isLoaded });
  const shown = isLoaded ? thread : (around.data ?? (around.isError ? thread : undefined));
  if (thread && shown)
    return (
      <Conversation
        key={shown === thread ? 'newest' : target.id}
        thread={thread}
        shown={shown}
        unreadFrom={unreadFrom}
        target={target}
        me={me}
        folder={folder}
      />
    );
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

interface ConversationProps {
  thread: Loaded;
  /** The thread, or the page around the target. */
  shown: Loaded;
  /** The id of the first message that was unread on opening. */
  unreadFrom: string | null;
  target: Target;
  me: User;
  folder: ConversationFolder;
}

function Conversation({ thread, shown, unreadFrom, target, me, folder }: ConversationProps) {
  const { t } = useTranslation('messages');
  const { conversation, messages } = thread;
  const { id, waiting } = conversation;
  const other = useDisplayName(conversation);
  const isGroup = Boolean(conversation.group);
  const nameOf = useNames(thread, shown, other.fullName);
  const { outgoing, sentKeys, send, retry, discard } = useOutgoingMessages(me, id, messages);
  const isNewest = shown === thread;
  const rows = rowsOf({
    messages: shown.messages,
    outgoing: isNewest ? outgoing : [],
    me: me.id,
    sentKeys,
    hasOlder: shown.older !== null,
    unreadFrom,
  });
  const [replyTo, setReplyTo] = useState<RepliedMessage | null>(null);
  const [edited, setEdited] = useState<Message | null>(null);
  const [wasEditing, setWasEditing] = useState(false);
  const isRequest = conversation.folder === 'requests';
  // Before acceptance, every message is the member's own.
  const full = waiting && rows.filter(({ state }) => state !== 'failed').length >= messagesInRequest;
  // An older server does not say it of groups.
  const filesRefused = conversation.filesRefused ?? waiting;
  const filesRefusal = filesRefused ? t(isGroup ? 'filesInGroup' : 'filesAfterAccept') : null;
  const canWrite = (isGroup || other.id !== null) && !full;
  const parts = {
    me,
    nameOf,
    reply: (message: Message) => {
      setEdited(null);
      const { id: repliedId, userId, content } = message;
      setReplyTo({ id: repliedId, userId, content: content.slice(0, 200), attachments: attachedTo(message) });
    },
    edit: (message: Message) => {
      setReplyTo(null);
      setEdited(message);
      setWasEditing(true);
    },
    show: target.show,
    canWrite,
    isRequest,
  };
  const editLast = (event: KeyboardEvent) => {
    const last = lastChangeable(messages, me.id);
    if (!last) return;
    // The key would move the cursor of the new field.
    event.preventDefault();
    parts.edit(last);
  };
  return (
    <ThreadContext value={parts}>
      <ThreadHeader conversation={conversation} other={other} me={me} nameOf={nameOf} folder={folder} />
      {rows.length > 0 ? (
        <MessageList
          thread={shown}
          threadKey={isNewest ? threadKey(id) : aroundQuery(id, target.id ?? '').queryKey}
          rows={rows}
          target={target}
          name={other.fullName}
          isGroup={isGroup}
          isNewest={isNewest}
          onRetry={retry}
          onDiscard={discard}
        />
      ) : (
        <div className="grid min-h-0 flex-1 place-content-center overflow-y-auto">
          <Empty icon={MessageCircle} title={t(isGroup ? 'noGroupMessages' : 'noMessages')} />
        </div>
      )}
      {isRequest &&
        (isGroup ? (
          <GroupRequestBar conversation={conversation} me={me} folder={folder} />
        ) : (
          <RequestBar conversation={conversation} other={other} me={me} folder={folder} />
        ))}
      {waiting && other.id && <WaitingNotice name={other.fullName} full={full} />}
      {!isNewest && (
        <div className="flex shrink-0 justify-center border-t bg-muted p-2">
          <Button variant="outline" size="sm" onClick={target.leave}>
            <ArrowDown className="icon-sm" />
            {t('showNewest')}
          </Button>
        </div>
      )}
      {!isGroup && !other.id ? (
        <FormerNotice />
      ) : edited ? (
        <EditForm key={edited.id} message={edited} onDone={() => setEdited(null)} />
      ) : (
        canWrite && (
          <Composer
            conversationId={id}
            sendsTyping={!isRequest}
            filesRefusal={filesRefusal}
            replyTo={replyTo}
            onCancelReply={() => setReplyTo(null)}
            onEditLast={editLast}
            takesFocus={wasEditing}
            onSend={(content, files) => {
              send({ content, files, after: messages.at(-1)?.id ?? null, replyTo });
              setReplyTo(null);
              target.leave();
            }}
          />
        )
      )}
    </ThreadContext>
  );
}

/** In a group, the names of its members and of the authors of the loaded messages, who may have left. */
function useNames(thread: Loaded, shown: Loaded, other: string): (userId: string | null) => string {
  const { t } = useTranslation('messages');
  const { id, group } = thread.conversation;
  const members = useQuery({ ...groupMembersQuery(id), enabled: Boolean(group) }).data;
  if (!group) return (userId) => (userId === null ? t('former') : other);
  const senders = [...thread.messages, ...shown.messages].flatMap(({ sender }) => sender ?? []);
  const known = [...senders, ...group.members, ...(members ?? [])];
  const names = new Map(known.map((user) => [user.id, user.fullName]));
  return (userId) => (userId === null ? t('former') : (names.get(userId) ?? t('former')));
}

/** The server's limit of messages in an unanswered request. */
const messagesInRequest = 5;

/** The other member has not accepted the request yet. */
function WaitingNotice({ name, full }: { name: string; full: boolean }) {
  const { t } = useTranslation('messages');
  return (
    <Notice icon={<Clock className="icon-sm mt-0.5" />}>
      {full ? t('waitingFull', { name }) : t('waiting', { name, most: messagesInRequest })}
    </Notice>
  );
}

/** The other account is deleted. */
function FormerNotice() {
  const { t } = useTranslation('messages');
  return <Notice icon={<UserRoundX className="icon-sm mt-0.5" />}>{t('isFormer')}</Notice>;
}

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex shrink-0 items-start gap-2 border-t bg-muted px-4 py-3 text-caption text-pretty text-muted-foreground wrap-anywhere md:px-5">
      {icon}
      <span>{children}</span>
    </p>
  );
}

function ThreadSkeleton() {
  return (
    <Loading
      className="flex min-h-0 flex-1 flex-col justify-end gap-1.5 overflow-hidden px-3 py-4 md:px-5"
      bars={[
        'h-16 w-3/5 rounded-xl!',
        'ml-auto h-10 w-2/5 rounded-xl!',
        'ml-auto h-10 w-1/2 rounded-xl!',
        'h-10 w-1/3 rounded-xl!',
      ]}
    />
  );
}
