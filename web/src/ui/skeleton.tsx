// Grey shapes in the place of what is on its way.
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';

/** One bar or disc; its size comes from the classes, `rounded-full!` makes a disc. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton ${className}`} />;
}

/** Says "Loading" to a screen reader and shows the shapes only after 150 ms, so that a quick answer does not flicker. */
export function Loading({ children, className = '' }: { children: ReactNode; className?: string }) {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className={`appear-late ${className}`}>
      {children}
    </div>
  );
}
