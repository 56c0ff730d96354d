// A calendar leaf: the month's abbreviation above the day, in the time zone of the event.
import type { Event } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { zoneOf } from './event-time';

export function DateBlock({ event }: { event: Pick<Event, 'startDate' | 'timeZone'> }) {
  const { i18n } = useTranslation();
  const timeZone = zoneOf(event);
  const part = (options: Intl.DateTimeFormatOptions) =>
    formatDate(i18n.language, event.startDate, { ...options, timeZone });
  return (
    <span className="grid w-11 shrink-0 self-start overflow-hidden rounded-md border text-center">
      <span className="bg-muted py-0.5 text-[0.6875rem] leading-4 font-semibold text-muted-foreground">
        {part({ month: 'short' })}
      </span>
      <span className="py-1 font-serif text-[1.125rem] leading-6 font-semibold tabular-nums">
        {part({ day: 'numeric' })}
      </span>
    </span>
  );
}
