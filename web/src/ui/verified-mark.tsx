// The mark of a verified member, beside the name; its icon and text load with the first mark.
import { lazy, Suspense } from 'react';

const LazyIcon = lazy(async () => ({ default: (await import('./verified-icon')).VerifiedIcon }));

interface VerifiedMarkProps {
  member: { verified?: boolean; verifiedSchool?: string | null };
  className?: string;
}

/** Beside a link with the name, not in it: the name of the link stays that of the member. */
export function VerifiedMark({ member, className = '' }: VerifiedMarkProps) {
  if (!member.verified) return null;
  const space = `inline-block size-4 shrink-0 align-[-0.15em] ${className}`;
  return (
    <Suspense fallback={<span className={space} />}>
      <LazyIcon school={member.verifiedSchool ?? null} className={space} />
    </Suspense>
  );
}
