// A number in a badge.
import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';

interface CountProps {
  value: number;
  /** Gold, which is reserved for unread counts. */
  unread?: boolean;
  /** There are more than these. */
  more?: boolean;
  /** The text that a screen reader reads instead of the number. */
  label?: string;
  className?: string;
}

export function Count({ value, unread, more, label, className = '' }: CountProps) {
  const { i18n } = useTranslation();
  return (
    <span className={`count ${unread ? 'count-unread' : ''} ${className}`}>
      <span aria-hidden={label ? true : undefined}>
        {`${formatNumber(i18n.language, value)}${more ? '+' : ''}`}
      </span>
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
