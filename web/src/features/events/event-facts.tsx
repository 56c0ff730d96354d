// Time, place and organiser on the page of an event.
import { CalendarDays, Clock, type LucideIcon, MapPin, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { EventDetails } from '@/api/schema.gen';
import { browserTimeZone, zoneName } from '@/i18n/time-zone';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { separator } from '@/ui/separator';
import { VerifiedMark } from '@/ui/verified-mark';
import { otherZone, whenIn } from './event-time';

export function EventFacts({ event }: { event: EventDetails }) {
  const { t, i18n } = useTranslation('events');
  const { location, organiser, startDate } = event;
  const when = whenIn(i18n.language, event, browserTimeZone());
  const other = otherZone(event);
  return (
    <div className="mt-4 space-y-2.5 text-ui">
      <Fact icon={CalendarDays}>{when.startDay}</Fact>
      <Fact icon={Clock}>
        <span className="tabular-nums">
          {t('fromTo', { from: when.start, to: [when.endDay, when.end].filter(Boolean).join(', ') })}
        </span>
        <span className="text-muted-foreground">
          {separator}
          {zoneName(startDate)}
        </span>
        {other && (
          <span className="block text-caption text-muted-foreground tabular-nums">
            <ForOrganiser event={event} timeZone={other} />
          </span>
        )}
      </Fact>
      {location && <Fact icon={MapPin}>{location}</Fact>}
      {organiser && (
        <Fact icon={UserRound}>
          {t('hostedBy')}{' '}
          <Link to={paths.profile(organiser.id)} className="link font-medium">
            {organiser.fullName}
          </Link>
          <VerifiedMark member={organiser} className="ml-1" />
        </Fact>
      )}
    </div>
  );
}

function Fact({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <div className="flex items-start gap-2.5">
      <Icon className="icon-sm mt-0.5 text-muted-foreground" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}

/** The same time in the time zone of the organiser. */
function ForOrganiser({ event, timeZone }: { event: EventDetails; timeZone: string }) {
  const { t, i18n } = useTranslation('events');
  const { startDay, start, endDay, end } = whenIn(i18n.language, event, timeZone);
  return t('organiserTime', {
    from: `${startDay}, ${start}`,
    to: [endDay, end].filter(Boolean).join(', '),
    zone: zoneName(event.startDate, timeZone),
  });
}
