// An event in the list: day, title, time, place, attendees, and the attend button.
import { Link } from 'react-router';
import type { Attendee, Event } from '@/api/schema.gen';
import { SaveButton } from '@/features/saved/save-button';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Badge } from '@/ui/badge';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import { AttendButton } from './attend-button';
import { DateBlock } from './date-block';
import { clockTime, zoneName, zoneOf } from './event-time';

export function EventRow({ event }: { event: Event }) {
  const { t, i18n } = useTranslation('events');
  const { id, title, location, startDate, attendeeCount, attendees, attending } = event;
  const timeZone = zoneOf(event);
  useLiveTopic(`event ${id}`);
  const zone = zoneName(i18n.language, startDate, timeZone, 'short');
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 py-4 md:px-5">
      <DateBlock event={event} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p>
          <Link to={paths.event(id)} dir="auto" className="text-ui font-semibold hover:underline">
            {title}
          </Link>
        </p>
        <p className="mt-0.5 text-caption text-muted-foreground tabular-nums">
          {[`${clockTime(startDate, timeZone)} ${zone}`, location].filter(Boolean).join(' · ')}
        </p>
        {/* As high as the badge that appears in it. */}
        <p className="mt-1.5 flex min-h-5.5 flex-wrap items-center gap-x-2.5 gap-y-1.5 text-micro text-muted-foreground tabular-nums">
          <AttendeeAvatars attendees={attendees} />
          <span className="whitespace-nowrap">{t('attendees', { count: attendeeCount })}</span>
          {attending && <Badge tone="green">{t('attending')}</Badge>}
        </p>
      </div>
      <div className="flex items-center gap-1 max-sm:w-full max-sm:pl-15">
        <AttendButton event={event} />
        <SaveButton kind="event" id={id} name={title} className="sm:-mr-2" />
      </div>
    </li>
  );
}

export function EventSkeletons() {
  return (
    <LoadingRows className="card divide-y" row="flex gap-4 px-4 py-4 md:px-5">
      <Skeleton className="h-13 w-11" />
      <Bars
        className="flex-1 space-y-2 pt-0.5"
        of={['h-3.5 w-56 max-w-full', 'h-3 w-44 max-w-full', 'h-8 w-32']}
      />
    </LoadingRows>
  );
}

const shownAtMost = 4;

/** Overlapping. Other elements show the number and the names. */
function AttendeeAvatars({ attendees }: { attendees: Attendee[] }) {
  if (attendees.length === 0) return null;
  return (
    <span aria-hidden="true" className="flex -space-x-2">
      {attendees.slice(0, shownAtMost).map(({ id, user }) => (
        <Avatar key={id} user={user} size={32} decorative className="ring-2 ring-card" />
      ))}
    </span>
  );
}
