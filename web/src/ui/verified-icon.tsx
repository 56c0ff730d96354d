// The icon of a verified member, named after the school that verified.
import { BadgeCheck } from 'lucide-react';
import { useTranslation } from '@/i18n/use-translation';

export function VerifiedIcon({ school, className }: { school: string | null; className: string }) {
  const { t } = useTranslation('shell');
  const name = school ? t('verifiedBy', { name: school }) : t('verifiedByPortia');
  return (
    // Not focusable: it is often beside a link. The title is the tooltip of a pointer.
    <span role="img" aria-label={name} title={name} className={`${className} text-gold-text`}>
      <BadgeCheck className="size-full" aria-hidden="true" />
    </span>
  );
}
