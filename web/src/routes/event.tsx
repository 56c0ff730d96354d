// The page of an event, also after its end.
import { useQuery } from '@tanstack/react-query';
import { CalendarDays } from 'lucide-react';
import { useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { eventQuery } from '@/api/queries';
import { EventPage, EventSkeleton } from '@/features/events/event-page';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { DetailFallback } from '@/ui/detail-fallback';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';

export function Component() {
  const { t } = useTranslation('events');
  const { id = '' } = useParams();
  const query = useQuery(eventQuery(id));
  const event = query.data;
  // Cancelled since the last fetch: the cached event is not shown.
  const gone = isUnknown(query.error);
  useLiveTopic(event ? `event ${event.id}` : null);
  return (
    <Page key={id} width="reading">
      {event && !gone ? (
        <>
          <NamedMeta page="event" name={event.title} />
          <EventPage event={event} />
        </>
      ) : (
        <DetailFallback
          page="events"
          heading={t('one')}
          query={query}
          skeleton={<EventSkeleton />}
          gone={gone}
          unknown={{ icon: CalendarDays, title: t('unknown'), hint: t('unknownHint') }}
          others={{ to: paths.events, label: t('all') }}
          failed={t('oneFailed')}
        />
      )}
    </Page>
  );
}
