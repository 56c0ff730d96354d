// The mark of a verified member, beside the name; its icon and text load with the first mark.

import { loadTexts } from '@/i18n/load-texts';
import { lazyOptional } from './lazy-optional';

const Icon = lazyOptional(async () => {
  await loadTexts('mark');
  return (await import('./verified-icon')).VerifiedIcon;
});

interface VerifiedMarkProps {
  member: { verified?: boolean; verifiedSchool?: string };
  className?: string;
}

/** Beside a link with the name, not in it: the name of the link stays that of the member. */
export function VerifiedMark({ member, className }: VerifiedMarkProps) {
  return member.verified && <Icon school={member.verifiedSchool} className={className} />;
}
