// The mark of a verified member, beside the name; its icon and text load with the first mark.
import { withTexts } from '@/i18n/load-texts';
import { lazyOptional } from './lazy-optional';

const Icon = lazyOptional(async () => (await withTexts(import('./verified-icon'), 'mark')).VerifiedIcon);

interface VerifiedMarkProps {
  member: { verified?: boolean; verifiedSchool?: string };
  className?: string;
}

/** Goes beside a link with the member's name, not in it: the link's name stays the member's name. */
export function VerifiedMark({ member, className }: VerifiedMarkProps) {
  return member.verified && <Icon school={member.verifiedSchool} className={className} />;
}
