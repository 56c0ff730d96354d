// The page of an event: title, facts, actions, description, and attendees.
import { useInfiniteQuery } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { attendeesQuery } from '@/api/queries';
import type { EventDetails } from '@/api/schema.gen';
import { PersonName } from '@/features/network/person-name';
import { SaveButton } from '@/features/saved/save-button';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { Badge } from '@/ui/badge';
import { buttonClass } from '@/ui/button';
import { Card, CardHeading } from '@/ui/card';
import { PagedList } from '@/ui/paged-list';
import { Bars, Loading, LoadingRows, Skeleton } from '@/ui/skeleton';
import { AttendButton } from './attend-button';
import { DateBlock } from './date-block';
import { EventFacts } from './event-facts';
import { isOver } from './event-time';
import { OrganiserControls } from './organiser-controls';

export function EventPage({ event }: { event: EventDetails }) {
  const { t } = useTranslation('events');
  const { user } = useAuth();
  const { id, title, description, attending, organiser } = event;
  const over = isOver(event);
  return (
    <div className="space-y-4">
      <Card className="p-4 md:p-6">
        <div className="flex items-start gap-4 md:gap-5">
          <DateBlock event={event} />
          <div className="min-w-0 wrap-anywhere">
            <h1 className="font-serif text-title text-balance max-sm:text-[1.625rem]">{title}</h1>
            {over ? (
              <p className="mt-1 text-body text-muted-foreground">{t('over')}</p>
            ) : (
              // Keeps its place while the member does not attend.
              <p className={attending ? '' : 'invisible'}>
                <Badge tone="green">{t('attending')}</Badge>
              </p>
            )}
          </div>
        </div>
        <EventFacts event={event} />
        <div className="mt-5 flex flex-wrap gap-2">
          {!over && <AttendButton event={event} primary />}
          <a
            href={`/api/events/${encodeURIComponent(id)}/calendar.ics`}
            download
            className={buttonClass({ variant: 'outline' })}
          >
            <CalendarPlus className="icon-sm" />
            {t('addToCalendar')}
          </a>
          <SaveButton kind="event" id={id} name={title} worded />
          {user && organiser?.id === user.id && <OrganiserControls event={event} />}
        </div>
      </Card>
      {description && (
        <Card className="p-4 md:p-5" aria-label={t('about')}>
          <CardHeading>{t('about')}</CardHeading>
          <p dir="auto" className="mt-2 max-w-measure whitespace-pre-line text-body wrap-anywhere">
            {description}
          </p>
        </Card>
      )}
      <Attendees event={event} />
    </div>
  );
}

export function EventSkeleton() {
  return (
    <Loading className="card p-4 md:p-6">
      <Bars className="flex gap-5" of={['h-15 w-11', 'h-8 w-72 max-w-full']} />
      <Bars
        className="mt-5 space-y-3"
        of={['h-3.5 w-56 max-w-full', 'h-3.5 w-64 max-w-full', 'h-3.5 w-48 max-w-full']}
      />
      <Skeleton className="mt-6 h-9 w-40" />
    </Loading>
  );
}

const grid = 'grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2';

/** The attendees of an event, in the order of their acceptance. */
function Attendees({ event: { id, attendeeCount } }: { event: EventDetails }) {
  const { t } = useTranslation('events');
  return (
    <Card className="p-4 md:p-5" aria-label={t('comes')}>
      <CardHeading>{t('attendees', { count: attendeeCount })}</CardHeading>
      <div className="mt-4">
        <PagedList
          query={useInfiniteQuery(attendeesQuery(id))}
          skeleton={<AttendeeSkeletons />}
          failed={t('attendeesFailed')}
          more={t('moreAttendees')}
          empty={<p className="text-caption text-muted-foreground">{t('noAttendees')}</p>}
        >
          {(attendees) => (
            <ul className={grid}>
              {attendees.map(({ id: attendance, user }) => (
                <li key={attendance} className="flex min-w-0 items-center gap-3">
                  <Avatar user={user} size={40} decorative />
                  <div className="min-w-0 flex-1">
                    <PersonName person={user} />
                  </div>
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </Card>
  );
}

function AttendeeSkeletons() {
  return (
    <LoadingRows count={2} className={grid} row="flex items-center gap-3">
      <Skeleton className="size-10 rounded-full!" />
      <Bars className="flex-1 space-y-2" of={['h-3.5 w-36', 'h-3 w-48 max-w-full']} />
    </LoadingRows>
  );
}
