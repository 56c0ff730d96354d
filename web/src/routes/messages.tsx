// Conversations on the left, the thread on the right; on a phone one of the two.
import { MessageSquare } from 'lucide-react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { ConversationList } from '@/features/messages/conversation-list';
import { Thread } from '@/features/messages/thread';
import { useTranslation } from '@/i18n/use-translation';
import { folderOf, listIn, threadIn } from '@/message-paths';
import { useAuth } from '@/session/auth';
import { Empty } from '@/ui/empty';
import { PageMeta } from '@/ui/page-meta';

/** Below the header; on a phone the list ends above the bottom bar, which a thread does not show. */
const height = {
  list: 'h-[calc(100dvh-7.5rem-env(safe-area-inset-bottom))]',
  thread: 'h-[calc(100dvh-4rem)]',
};

export function Component() {
  const { t } = useTranslation('messages');
  const { user } = useAuth();
  const { id } = useParams();
  const folder = folderOf(useSearchParams()[0]);
  const navigate = useNavigate();
  return (
    <div className="mx-auto max-w-page md:px-6 md:py-6">
      <PageMeta page="messages" />
      <div
        className={`flex bg-card md:h-[calc(100dvh-7rem)] md:overflow-hidden md:rounded-lg md:border md:shadow-card ${id ? height.thread : height.list}`}
      >
        <aside
          className={`flex w-full min-w-0 shrink-0 flex-col md:w-[21rem] md:border-r ${id ? 'max-md:hidden' : ''}`}
        >
          <ConversationList
            folder={folder}
            onFolder={(next) => void navigate(id ? threadIn(next, id) : listIn(next), { replace: true })}
            selected={id}
          />
        </aside>
        {id && user ? (
          <section aria-label={t('yours')} className="flex min-w-0 flex-1 flex-col">
            <h1 className="sr-only md:hidden">{t('title')}</h1>
            <Thread key={id} id={id} me={user} folder={folder} />
          </section>
        ) : (
          <section aria-label={t('yours')} className="hidden min-w-0 flex-1 place-content-center p-4 md:grid">
            <Empty icon={MessageSquare} title={t('yours')} hint={t('choose')} />
          </section>
        )}
      </div>
    </div>
  );
}
