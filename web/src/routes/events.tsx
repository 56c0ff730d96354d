// Events that have not ended, earliest first, and creating one.
import { useInfiniteQuery } from '@tanstack/react-query';
import { CalendarDays, Plus } from 'lucide-react';
import { eventsQuery } from '@/api/queries';
import { EventRow, EventSkeletons } from '@/features/events/event-row';
import { useEventDialog } from '@/features/events/use-event-dialog';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { PagedCard } from '@/ui/paged-list';
import { useStartRequest } from '@/ui/start-request';

export function Component() {
  const { t } = useTranslation('events');
  const { user } = useAuth();
  const announcing = useEventDialog();
  useStartRequest('event', announcing.open);
  return (
    <Page>
      <PageMeta page="events" />
      <PageHeading
        title={t('title')}
        action={
          user && (
            <Button
              className="max-sm:w-9 max-sm:px-0"
              aria-label={t('create')}
              aria-haspopup="dialog"
              onClick={announcing.open}
            >
              <Plus className="icon-sm" />
              <span className="max-sm:hidden">{t('create')}</span>
            </Button>
          )
        }
      />
      <PagedCard
        query={useInfiniteQuery(eventsQuery)}
        skeleton={<EventSkeletons />}
        failed={t('failed')}
        more={t('more')}
        empty={<EmptyCard icon={CalendarDays} title={t('none')} />}
        label={t('title')}
      >
        {(event) => <EventRow key={event.id} event={event} />}
      </PagedCard>
      {announcing.dialog}
    </Page>
  );
}
