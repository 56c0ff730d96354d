// The header's link to the moderation screen, for moderators.
import { ShieldCheck } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';

export function ModerationLink() {
  const { t } = useTranslation('shell');
  return (
    <TooltipGroup>
      <Tooltip label={t('nav.moderation')}>
        <Link
          to={paths.moderation}
          aria-label={t('nav.moderation')}
          className={buttonClass({ variant: 'ghost', iconOnly: true, className: 'max-md:hidden' })}
        >
          <ShieldCheck className="icon" aria-hidden="true" />
        </Link>
      </Tooltip>
    </TooltipGroup>
  );
}
