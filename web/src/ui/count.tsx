// A number in a badge.

import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';

interface CountProps {
  value: number;
  /** Gold, which is reserved for unread counts. */
  unread?: boolean;
  /** There are more than these. */
  more?: boolean;
  className?: string;
}

export function Count({ value, unread, more, className = '' }: CountProps) {
  const { i18n } = useTranslation();
  return (
    <span className={`count ${unread ? 'count-unread' : ''} ${className}`}>
      {`${formatNumber(i18n.language, value)}${more ? '+' : ''}`}
    </span>
  );
}
