// "2 hours ago", with the exact time on hover and for machines.
import { formatDate, relativeTime } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';

export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const { i18n } = useTranslation();
  const exact = formatDate(i18n.language, at, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <time dateTime={at} title={exact ?? undefined} className={className}>
      {relativeTime(i18n.language, at)}
    </time>
  );
}
