// Small labels: status badges and counts.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '@/i18n/format';

const tones = {
  blue: 'bg-status-blue text-status-blue-foreground',
  purple: 'bg-status-purple text-status-purple-foreground',
  green: 'bg-status-green text-status-green-foreground',
  grey: 'bg-status-grey text-status-grey-foreground',
};

export function Badge({ tone = 'grey', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return <span className={`badge ${tones[tone]}`}>{children}</span>;
}

/** A number in a pill; gold only for what is unread. */
export function Count({
  value,
  unread,
  className = '',
}: {
  value: number;
  unread?: boolean;
  className?: string;
}) {
  const { i18n } = useTranslation();
  return (
    <span className={`count ${unread ? 'count-unread' : ''} ${className}`}>
      {formatNumber(i18n.language, value)}
    </span>
  );
}
