// When the last message came, as short as it can be said: a time, a day, a date.

/** '9:44 AM' today, 'Yesterday', 'Wed' within the week, then 'Nov 12', with the year when it is another one. */
export function messageTime(language: string, at: string | null, now = new Date()): string {
  const sent = new Date(at ?? Number.NaN);
  if (Number.isNaN(sent.getTime())) return '';
  const say = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(sent);
  const days = daysBetween(sent, now);
  if (days <= 0) return say({ hour: 'numeric', minute: '2-digit' });
  if (days === 1)
    return capitalised(new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-1, 'day'));
  if (days < 7) return say({ weekday: 'short' });
  const sameYear = sent.getFullYear() === now.getFullYear();
  return say({ month: 'short', day: 'numeric', year: sameYear ? undefined : 'numeric' });
}

/** Midnights between two moments, in the reader's time zone; rounded, for a day may have 23 hours. */
function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((midnight(to) - midnight(from)) / 86_400_000);
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
