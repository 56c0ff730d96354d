// The event whose id stands in the address, also when it is over.
import { useQuery } from '@tanstack/react-query';
import { CalendarDays } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { eventQuery } from '@/api/queries';
import { EventPage, EventSkeleton } from '@/features/events/event-page';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('events');
  const { id = '' } = useParams();
  const { data: event, error, isPending, refetch } = useQuery(eventQuery(id));
  // Called off since it was last seen: what the cache still holds is not shown.
  const gone = isUnknown(error);
  return (
    <Page key={id} className="max-w-[52rem]!">
      {event && !gone ? (
        <>
          <NamedMeta page="event" name={event.title} />
          <EventPage event={event} />
        </>
      ) : (
        <>
          <PageMeta page="events" />
          <h1 className="sr-only">{t('one')}</h1>
          {isPending ? (
            <EventSkeleton />
          ) : gone ? (
            <Unknown />
          ) : (
            <ErrorPanel onRetry={() => void refetch()}>{t('oneFailed')}</ErrorPanel>
          )}
        </>
      )}
    </Page>
  );
}

function Unknown() {
  const { t } = useTranslation('events');
  return (
    <Card>
      <Empty
        icon={CalendarDays}
        title={t('unknown')}
        hint={t('unknownHint')}
        action={
          <Link to={paths.events} className={buttonClass({ variant: 'outline' })}>
            {t('all')}
          </Link>
        }
      />
    </Card>
  );
}
