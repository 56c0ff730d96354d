// Conversations on the left, the thread on the right; on a phone one of the two.
import { MessageSquare } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { ConversationList } from '@/features/messages/conversation-list';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('messages');
  const { id } = useParams();
  return (
    <div className="mx-auto max-w-[78rem] md:px-6 md:py-6">
      <PageMeta page="messages" />
      <div className="flex h-[calc(100dvh-7.5rem)] bg-card md:h-[calc(100dvh-7rem)] md:overflow-hidden md:rounded-lg md:border md:shadow-card">
        <aside
          className={`flex w-full shrink-0 flex-col md:w-[21rem] md:border-r ${id ? 'max-md:hidden' : ''}`}
        >
          <ConversationList selected={id} />
        </aside>
        <section
          aria-label={t('yours')}
          className={`min-w-0 flex-1 place-content-center p-4 ${id ? 'grid' : 'hidden md:grid'}`}
        >
          {id ? (
            <>
              <h1 className="sr-only md:hidden">{t('title')}</h1>
              <ErrorPanel>{t('threadFailed')}</ErrorPanel>
            </>
          ) : (
            <Empty icon={MessageSquare} title={t('yours')} hint={t('choose')} />
          )}
        </section>
      </div>
    </div>
  );
}
