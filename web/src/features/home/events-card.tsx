// 'Upcoming events': a calendar leaf, the title, the time and how many attend.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { eventsQuery } from '@/api/queries';
import type { Event } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { paths } from '@/paths';
import { RailCard } from './rail-card';

const shownAtMost = 3;

export function EventsCard() {
  const { t } = useTranslation('home');
  return (
    <RailCard
      title={t('events')}
      query={useQuery(eventsQuery)}
      empty={t('noEvents')}
      footer={
        <Link to={paths.events} className="link mt-3 inline-block text-caption font-medium">
          {t('allEvents')}
        </Link>
      }
    >
      {(events) => (
        <ul className="mt-3 space-y-3">
          {events.slice(0, shownAtMost).map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
    </RailCard>
  );
}

function EventRow({ event: { id, title, startDate, attendeeCount } }: { event: Event }) {
  const { t, i18n } = useTranslation('home');
  const part = (options: Intl.DateTimeFormatOptions) => formatDate(i18n.language, startDate, options);
  // 'h:mm a' is the specification's form in every language.
  const time = formatDate('en-US', startDate, { hour: 'numeric', minute: '2-digit' });
  return (
    <li>
      <Link to={paths.event(id)} className="flex gap-3">
        <span className="grid w-11 shrink-0 self-start overflow-hidden rounded-md border text-center">
          <span className="bg-muted py-0.5 text-[0.6875rem] leading-4 font-semibold text-muted-foreground">
            {part({ month: 'short' })}
          </span>
          <span className="py-1 font-serif text-[1.125rem] leading-6 font-semibold tabular-nums">
            {part({ day: 'numeric' })}
          </span>
        </span>
        <span className="min-w-0">
          <span className="line-clamp-2 text-ui font-medium">{title}</span>
          <span className="block text-micro leading-5 text-muted-foreground">
            {time} · {t('attendees', { count: attendeeCount })}
          </span>
        </span>
      </Link>
    </li>
  );
}
