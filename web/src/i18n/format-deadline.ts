// The deadline of a posting in the language of the screen.
import { formatDate, isDate, shortDate } from './format';

/** Formats a deadline as a date. A time in another zone than the viewer's also shows the time of day and the zone. */
export function formatDeadline(language: string, at: string | null | undefined): string | null {
  if (!at || isDate(at) || offsetOf(at) === -new Date(at).getTimezoneOffset())
    return formatDate(language, at);
  return formatDate(language, at, {
    ...shortDate,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
}

/** The minutes from UTC of a time such as '2026-12-01T23:59:59-08:00'; 0 for 'Z'. */
function offsetOf(at: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})$/.exec(at) ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -offset : offset;
}
