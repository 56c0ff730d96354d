// Events that have not ended, the soonest first.
import { useQuery } from '@tanstack/react-query';
import { CalendarDays } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { eventsQuery } from '@/api/queries';
import { formatDate } from '@/i18n/format';
import { paths } from '@/paths';
import { ListScreen } from '@/ui/list-screen';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t, i18n } = useTranslation('pages');
  const texts = { title: t('events.title'), none: t('events.none'), failed: t('events.failed') };
  return (
    <>
      <PageMeta page="events" />
      <ListScreen texts={texts} icon={CalendarDays} query={useQuery(eventsQuery)}>
        {({ id, title, location, startDate, attendeeCount }) => (
          <Link
            key={id}
            to={paths.event(id)}
            className="block px-5 py-3.5 wrap-anywhere -outline-offset-2 hover:bg-hover"
          >
            <span className="block text-ui font-semibold">{title}</span>
            <span className="block text-caption text-muted-foreground">
              {[formatDate(i18n.language, startDate, { dateStyle: 'medium', timeStyle: 'short' }), location]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <span className="block text-micro text-muted-foreground tabular-nums">
              {t('events.attendees', { count: attendeeCount })}
            </span>
          </Link>
        )}
      </ListScreen>
    </>
  );
}
