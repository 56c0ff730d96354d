// 'Upcoming events': a calendar leaf, the title, the time and the number of attendees.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { knownItems } from '@/api/pages';
import { eventsQuery } from '@/api/queries';
import type { Event } from '@/api/schema.gen';
import { DateBlock } from '@/features/events/date-block';
import { clockTime, zoneOf } from '@/features/events/event-time';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { RailCard, RailSkeleton } from './rail-card';

const shownAtMost = 3;

export function EventsCard() {
  const { t } = useTranslation('home');
  const { data, isPending, refetch } = useInfiniteQuery(eventsQuery);
  return (
    <RailCard
      title={t('events')}
      items={knownItems(data?.pages[0])?.slice(0, shownAtMost)}
      isPending={isPending}
      skeleton={<RailSkeleton className="mt-3 space-y-3" row="min-h-[3.75rem]" picture="h-13 w-11" />}
      empty={t('noEvents')}
      onRetry={refetch}
      footer={
        <Link to={paths.events} className="link reach mt-3 inline-block text-caption font-medium">
          {t('allEvents')}
        </Link>
      }
    >
      {(events) => (
        <ul className="mt-3 space-y-3">
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
    </RailCard>
  );
}

function EventRow({ event }: { event: Event }) {
  const { t } = useTranslation('home');
  const { id, title, startDate, attendeeCount } = event;
  useLiveTopic(`event ${id}`);
  return (
    <li>
      <Link to={paths.event(id)} className="flex gap-3">
        <DateBlock event={event} />
        <span className="min-w-0">
          <span dir="auto" className="line-clamp-2 text-ui font-medium wrap-anywhere">
            {title}
          </span>
          <span className="block text-micro leading-5 text-muted-foreground tabular-nums">
            {clockTime(startDate, zoneOf(event))} · {t('attendees', { count: attendeeCount })}
          </span>
        </span>
      </Link>
    </li>
  );
}
