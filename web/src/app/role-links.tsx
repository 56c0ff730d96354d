// The header's links to the screens of moderators and of stewards.
import { BadgeCheck, type LucideIcon, ShieldCheck } from 'lucide-react';
import { Link } from 'react-router';
import type { Me } from '@/api/session';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';

export function RoleLinks({ user }: { user: Me }) {
  const { t } = useTranslation(['shell', 'mark']);
  return (
    <TooltipGroup>
      {user.moderator && (
        <RoleLink to={paths.moderation} name={t('shell:nav.moderation')} icon={ShieldCheck} />
      )}
      {user.stewardOf && (
        <RoleLink to={paths.schoolMembers} name={t('mark:schoolMembers')} icon={BadgeCheck} />
      )}
    </TooltipGroup>
  );
}

function RoleLink({ to, name, icon: Icon }: { to: string; name: string; icon: LucideIcon }) {
  return (
    <Tooltip label={name}>
      <Link
        to={to}
        aria-label={name}
        className={buttonClass({ variant: 'ghost', iconOnly: true, className: 'max-md:hidden' })}
      >
        <Icon className="icon" />
      </Link>
    </Tooltip>
  );
}
