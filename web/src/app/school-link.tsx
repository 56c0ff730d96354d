// The header's link to the screen of a school's members, for stewards.
import { BadgeCheck } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';

export function SchoolLink() {
  const { t } = useTranslation('shell');
  return (
    <TooltipGroup>
      <Tooltip label={t('nav.schoolMembers')}>
        <Link
          to={paths.schoolMembers}
          aria-label={t('nav.schoolMembers')}
          className={buttonClass({ variant: 'ghost', iconOnly: true, className: 'max-md:hidden' })}
        >
          <BadgeCheck className="icon" aria-hidden="true" />
        </Link>
      </Tooltip>
    </TooltipGroup>
  );
}
