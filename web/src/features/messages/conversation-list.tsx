// The left pane of Messages: title, search by name and in messages, and the two folders with their conversations.
import { useQuery } from '@tanstack/react-query';
import { Search, SquarePen, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { unreadQuery } from '@/api/queries';
import { queryLimits } from '@/api/query-limits.gen';
import type { ConversationFolder, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/icon-button';
import { lazy } from '@/ui/lazy';
import { useStartRequest } from '@/ui/start-request';
import { TabPanel, Tabs } from '@/ui/tabs';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { useDebounced } from '@/ui/use-debounced';
import { useDialog } from '@/ui/use-dialog';
import { ConversationRows } from './conversation-rows';
import { FoundMessages } from './found-messages';

/** The maximum length of a name search on the server. */
const longestName = queryLimits.listConversations.search.max;
/** The debounce of the name search, in milliseconds. */
const pause = 300;

interface ConversationListProps {
  folder: ConversationFolder;
  onFolder: (folder: ConversationFolder) => void;
  /** The id of the open conversation. */
  selected?: string;
}

export function ConversationList({ folder, onFolder, selected }: ConversationListProps) {
  const { t } = useTranslation('messages');
  const { user } = useAuth();
  const [name, setName] = useState('');
  const search = useDebounced(name.trim(), pause);
  const requests = useQuery(unreadQuery).data?.requests;
  const folders = [
    { value: 'inbox', label: t('inbox') },
    { value: 'requests', label: t('requests'), count: requests || undefined },
  ] as const;
  return (
    <>
      <div className="shrink-0 px-4 pt-4 pb-1">
        <div className="mb-3 flex items-center gap-2">
          <h1 className="font-serif text-heading">{t('title')}</h1>
          {user && <NewConversationButtons me={user} />}
        </div>
        <label className="relative block">
          <Search className="icon-sm pointer-events-none absolute top-2.5 left-3 text-muted-foreground" />
          <input
            type="search"
            className="h-9 w-full rounded-md bg-muted pr-3 pl-9 text-ui max-md:text-base"
            placeholder={t('search')}
            aria-label={t('search')}
            maxLength={longestName}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
      </div>
      <Tabs
        tabs={folders}
        value={folder}
        onChange={onFolder}
        label={t('folders')}
        className="shrink-0 px-4 [--outdent:0px]"
        rootClassName="flex min-h-0 flex-1 flex-col"
      >
        <TabPanel value={folder} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
          <ConversationRows folder={folder} search={search} selected={selected} />
          {search && <FoundMessages folder={folder} search={search} />}
        </TabPanel>
      </Tabs>
    </>
  );
}

const NewGroupDialog = lazy(async () => (await import('./new-group-dialog')).NewGroupDialog);
const NewMessageDialog = lazy(async () => (await import('./new-message-dialog')).NewMessageDialog);

/** Open 'New message' and 'New group', whose code loads on first use. */
function NewConversationButtons({ me }: { me: User }) {
  const { t } = useTranslation('messages');
  const group = useDialog(NewGroupDialog, { me });
  const message = useDialog(NewMessageDialog, { me });
  useStartRequest('group', group.open);
  return (
    <div className="-mr-2 ml-auto flex items-center">
      <Button variant="ghost" size="sm" aria-haspopup="dialog" onClick={group.open}>
        <UsersRound className="icon-sm" />
        {t('newGroup')}
      </Button>
      <TooltipGroup>
        <Tooltip label={t('newMessage')}>
          <IconButton
            icon={SquarePen}
            glyph="icon-sm"
            size="sm"
            label={t('newMessage')}
            aria-haspopup="dialog"
            onClick={message.open}
          />
        </Tooltip>
      </TooltipGroup>
      {group.dialog}
      {message.dialog}
    </div>
  );
}
