// The conversations of a folder with infinite scroll, and its empty state.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Inbox, MessagesSquare } from 'lucide-react';
import { conversationsQuery } from '@/api/conversations';
import { itemsOf } from '@/api/pages';
import type { ConversationFolder } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import { ConversationRow } from './conversation-row';
import { LoadMoreButton } from './load-more-button';

interface ConversationRowsProps {
  folder: ConversationFolder;
  /** A part of a name, or empty for all. */
  search: string;
  selected?: string;
}

export function ConversationRows({ folder, search, selected }: ConversationRowsProps) {
  const { t } = useTranslation('messages');
  const query = useInfiniteQuery({
    ...conversationsQuery(folder, search),
    // While the member types, the rows of the previous search stay.
    placeholderData: search ? keepPreviousData : undefined,
  });
  if (query.isPending) return <RowSkeletons />;
  if (!query.data) {
    return (
      <div className="p-4">
        <ErrorPanel onRetry={() => void query.refetch()}>{t('failed')}</ErrorPanel>
      </div>
    );
  }
  const conversations = itemsOf(query.data);
  if (conversations.length === 0) {
    if (search) return <p className="p-4 text-ui text-muted-foreground">{t('noMatch')}</p>;
    if (folder === 'requests')
      return <Empty icon={Inbox} title={t('noRequests')} hint={t('noRequestsHint')} />;
    return <Empty icon={MessagesSquare} title={t('none')} />;
  }
  return (
    <>
      <ul>
        {conversations.map((conversation) => (
          // A long list draws only visible rows.
          <li key={conversation.id} className="[contain-intrinsic-size:auto_5rem] [content-visibility:auto]">
            <ConversationRow
              conversation={conversation}
              folder={folder}
              selected={conversation.id === selected}
            />
          </li>
        ))}
      </ul>
      {query.isFetchNextPageError && (
        <div className="p-4">
          <ErrorPanel onRetry={() => void query.fetchNextPage()}>{t('failed')}</ErrorPanel>
        </div>
      )}
      {query.hasNextPage && (
        <LoadMoreButton
          within="[role=tabpanel]"
          busy={query.isFetching}
          failed={query.isFetchNextPageError}
          onMore={() => void query.fetchNextPage()}
        >
          {t('more')}
        </LoadMoreButton>
      )}
    </>
  );
}

function RowSkeletons() {
  return (
    <LoadingRows row="flex h-20 gap-3 px-4 py-3">
      <Skeleton className="size-11 rounded-full!" />
      <Bars className="flex-1 space-y-2 pt-1" of={['h-3.5 w-32', 'h-3 w-[90%]']} />
    </LoadingRows>
  );
}
