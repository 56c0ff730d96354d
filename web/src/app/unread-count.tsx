// The number of unread messages: a gold badge beside Messages, in the header and in the bottom bar.
import { useQuery } from '@tanstack/react-query';
import { unreadQuery } from '@/api/queries';
import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';

export function UnreadCount({ className }: { className: string }) {
  const { t, i18n } = useTranslation('shell');
  const unread = useQuery(unreadQuery).data?.messages ?? 0;
  if (unread === 0) return null;
  return (
    <span
      className={`inline-flex items-center justify-center rounded-full bg-gold px-1 text-[0.6875rem] leading-none font-semibold text-gold-foreground ${className}`}
    >
      <span aria-hidden="true">{formatNumber(i18n.language, unread)}</span>
      <span className="sr-only">{t('nav.unread', { count: unread })}</span>
    </span>
  );
}
