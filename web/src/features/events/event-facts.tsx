// Time, place and organiser on the page of an event.
import { CalendarDays, Clock, type LucideIcon, MapPin, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { EventDetails } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { VerifiedMark } from '@/ui/verified-mark';
import { otherZone, whenIn, zoneName, zoneOf } from './event-time';

export function EventFacts({ event }: { event: EventDetails }) {
  const { t, i18n } = useTranslation('events');
  const { location, organiser, startDate } = event;
  const timeZone = zoneOf(event);
  const when = whenIn(i18n.language, event, timeZone);
  const zone = zoneName(i18n.language, startDate, timeZone, 'long');
  const mine = otherZone(event);
  return (
    <div className="mt-4 space-y-2.5 text-ui">
      <Fact icon={CalendarDays}>{when.startDay}</Fact>
      <Fact icon={Clock}>
        <span className="tabular-nums">
          {t('fromTo', { from: when.start, to: [when.endDay, when.end].filter(Boolean).join(', ') })}
        </span>
        <span className="text-muted-foreground"> · {zone}</span>
        {mine && (
          <span className="block text-caption text-muted-foreground tabular-nums">
            <ForMe event={event} timeZone={mine} />
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

/** The same time in the time zone of the viewer. */
function ForMe({ event, timeZone }: { event: EventDetails; timeZone: string }) {
  const { t, i18n } = useTranslation('events');
  const { startDay, start, endDay, end } = whenIn(i18n.language, event, timeZone);
  return t('yourTime', {
    from: `${startDay}, ${start}`,
    to: [endDay, end].filter(Boolean).join(', '),
  });
}
