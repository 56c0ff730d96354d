// The left pane of Messages: conversations, filtered by the person's name.
import { useQuery } from '@tanstack/react-query';
import { MessagesSquare, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { conversationsQuery } from '@/api/queries';
import type { Conversation } from '@/api/types';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Count } from '@/ui/badge';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { Loading, Skeleton } from '@/ui/skeleton';
import { messageTime } from './message-time';

export function ConversationList({ selected }: { selected?: string }) {
  const { t } = useTranslation('messages');
  const [name, setName] = useState('');
  return (
    <>
      <div className="shrink-0 border-b p-4">
        <h1 className="mb-3 font-serif text-heading">{t('title')}</h1>
        <label className="relative block">
          <Search
            className="icon-sm pointer-events-none absolute top-2.5 left-3 text-muted-foreground"
            aria-hidden="true"
          />
          <input
            type="search"
            className="h-9 w-full rounded-md bg-muted pr-3 pl-9 text-ui max-md:text-base"
            placeholder={t('search')}
            aria-label={t('search')}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Rows name={name.trim().toLocaleLowerCase()} selected={selected} />
      </div>
    </>
  );
}

function Rows({ name, selected }: { name: string; selected?: string }) {
  const { t } = useTranslation('messages');
  const { data, isPending } = useQuery(conversationsQuery);
  if (isPending) return <RowSkeletons />;
  if (!data) {
    return (
      <div className="p-4">
        <ErrorPanel>{t('failed')}</ErrorPanel>
      </div>
    );
  }
  if (data.length === 0) return <Empty icon={MessagesSquare} title={t('none')} />;
  const shown = data.filter(({ otherUser }) => otherUser.fullName.toLocaleLowerCase().includes(name));
  if (shown.length === 0) return <p className="p-4 text-ui text-muted-foreground">{t('noMatch')}</p>;
  return (
    <ul>
      {shown.map((conversation) => (
        <li key={conversation.id}>
          <Row conversation={conversation} selected={conversation.id === selected} />
        </li>
      ))}
    </ul>
  );
}

function Row({ conversation, selected }: { conversation: Conversation; selected: boolean }) {
  const { i18n } = useTranslation('messages');
  const { id, otherUser, lastMessage, lastMessageAt, unreadCount } = conversation;
  const unread = unreadCount > 0;
  return (
    <Link
      to={paths.thread(id)}
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

function RowSkeletons() {
  return (
    <Loading>
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex gap-3 px-4 py-3">
          <Skeleton className="size-11 rounded-full!" />
          <div className="flex-1 space-y-2 pt-1">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className="h-3 w-[90%]" />
          </div>
        </div>
      ))}
    </Loading>
  );
}
