// The mark of a verified member, beside the name; its icon and text load with the first mark.
import { lazy, Suspense } from 'react';
import { loadTexts } from '@/i18n/load-texts';

const Icon = lazy(async () => {
  await loadTexts('mark');
  return { default: (await import('./verified-icon')).VerifiedIcon };
});

interface VerifiedMarkProps {
  member: { verified?: boolean; verifiedSchool?: string };
  className?: string;
}

/** Beside a link with the name, not in it: the name of the link stays that of the member. */
export function VerifiedMark({ member, className }: VerifiedMarkProps) {
  return (
    member.verified && (
      <Suspense>
        <Icon school={member.verifiedSchool} className={className} />
      </Suspense>
    )
  );
}
