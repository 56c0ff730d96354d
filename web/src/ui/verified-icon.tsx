// The icon of a verified member, named after the school that verified.
import { BadgeCheck } from 'lucide-react';
import { useTranslation } from '@/i18n/use-translation';

export function VerifiedIcon({ school, className = '' }: { school?: string; className?: string }) {
  const { t } = useTranslation('mark');
  const name = school ? t('bySchool', { name: school }) : t('byPortia');
  return (
    // Not focusable: it is often beside a link. The title is the tooltip of a pointer. Inline, so that a name in a line of text
    // stays part of the line: a target of its own would need 24 px. The word joiner keeps it on the line of the last word.
    <span
      role="img"
      aria-label={name}
      title={name}
      className="shrink-0 whitespace-nowrap before:content-['\2060']"
    >
      <BadgeCheck className={`inline size-4 align-[-0.15em] text-gold-text ${className}`} />
    </span>
  );
}
