// The icon of a verified member, named after the school that verified.
import { BadgeCheck } from 'lucide-react';
import { useTranslation } from '@/i18n/use-translation';

/** Needs the texts of `mark`. */
export function VerifiedIcon({ school, className = '' }: { school?: string; className?: string }) {
  const { t } = useTranslation('mark');
  const name = school ? t('bySchool', { name: school }) : t('byPortia');
  return (
    // Not focusable: it is often beside a link. The title is the tooltip of a pointer.
    <span
      role="img"
      aria-label={name}
      title={name}
      className={`inline-block size-4 shrink-0 align-[-0.15em] text-gold-text ${className}`}
    >
      <BadgeCheck className="size-full" aria-hidden="true" />
    </span>
  );
}
