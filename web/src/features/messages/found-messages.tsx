// The messages with the searched words, in every conversation of the member; each opens at its place.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { Link } from 'react-router';
import { foundMessagesQuery } from '@/api/messages';
import { itemsOf } from '@/api/pages';
import type { ConversationFolder, FoundMessage } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { messageIn } from '@/message-paths';
import { useAuth } from '@/session/auth';
import { Highlight } from '@/ui/highlight';
import { TermHighlights } from '@/ui/term-highlights';
import { fold } from '@/ui/text-folding';
import { ConversationAvatar } from './conversation-avatar';
import { useDisplayName } from './display-name';
import { LoadMoreButton } from './load-more-button';
import { messageTime } from './message-time';

interface FoundMessagesProps {
  folder: ConversationFolder;
  /** Not blank. */
  search: string;
}

/** Shows nothing until there are results: the conversations above have their own states. */
export function FoundMessages({ folder, search }: FoundMessagesProps) {
  const { t } = useTranslation('messages');
  const query = useInfiniteQuery({ ...foundMessagesQuery(search), placeholderData: keepPreviousData });
  const found = itemsOf(query.data);
  return (
    <>
      <p role="status" className="sr-only">
        {query.isSuccess && !query.isPlaceholderData ? t('foundMessages', { count: found.length }) : ''}
      </p>
      {found.length > 0 && (
        <section aria-labelledby="found-messages">
          <h2 id="found-messages" className="px-4 pt-4 pb-1 text-micro font-semibold text-muted-foreground">
            {t('messagesHeading')}
          </h2>
          <TermHighlights value={termsOf(search)}>
            <ul>
              {found.map((message) => (
                <li key={message.id}>
                  <FoundRow message={message} folder={folder} search={search} />
                </li>
              ))}
            </ul>
          </TermHighlights>
          {query.hasNextPage && (
            <LoadMoreButton
              within="[role=tabpanel]"
              busy={query.isFetching}
              failed={query.isFetchNextPageError}
              onMore={() => void query.fetchNextPage()}
            >
              {t('moreMessages')}
            </LoadMoreButton>
          )}
        </section>
      )}
    </>
  );
}

interface FoundRowProps extends FoundMessagesProps {
  message: FoundMessage;
}

/** The beginnings of the words that were typed: punctuation is ignored. */
const termsOf = (search: string): string[] =>
  fold(search)
    .split(/\s+/)
    .map((word) => /[\p{L}\p{N}]+/u.exec(word)?.[0] ?? '');

function FoundRow({ message, folder, search }: FoundRowProps) {
  const { t, i18n } = useTranslation('messages');
  const { user } = useAuth();
  const other = useDisplayName(message);
  const isMine = message.userId === user?.id;
  return (
    <Link
      to={messageIn(folder, message.conversationId, message.id)}
      className="flex gap-3 px-4 py-2.5 -outline-offset-2 hover:bg-hover"
    >
      <ConversationAvatar conversation={message} other={other} size={32} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="truncate text-caption font-semibold">{other.fullName}</span>
          <span className="ml-auto shrink-0 text-micro text-muted-foreground tabular-nums">
            {messageTime(i18n.language, message.createdAt)}
          </span>
        </span>
        <span className="line-clamp-2 text-caption text-muted-foreground wrap-anywhere">
          {isMine ? `${t('you')}: ` : message.sender && <bdi>{message.sender.fullName}: </bdi>}
          <bdi>
            <Highlight>{excerptOf(message.content, search)}</Highlight>
          </bdi>
          {message.file && (
            <span className="flex items-center gap-1.5">
              <FileText className="icon-sm shrink-0" />
              <bdi>
                <Highlight>{message.file.name}</Highlight>
              </bdi>
            </span>
          )}
        </span>
      </span>
    </Link>
  );
}

/** The characters before the first word that are shown. */
const lead = 40;

/** The text from shortly before the first of the searched words. */
function excerptOf(content: string, search: string): string {
  const [first = ''] = search.toLowerCase().split(/\s+/);
  const at = content.toLowerCase().indexOf(first);
  const start = content.lastIndexOf(' ', Math.max(0, at - lead)) + 1;
  return at > lead ? `…${content.slice(start)}` : content;
}
