// Grey placeholder shapes during loading.
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';

/** One bar or disc; the classes set its size, `rounded-full!` makes a disc. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton ${className}`} />;
}

/** Announces "Loading" to screen readers and shows the shapes only after 150 ms, so that a quick response does not flicker. */
export function Loading({ children, className = '' }: { children: ReactNode; className?: string }) {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className={`appear-late ${className}`}>
      {children}
    </div>
  );
}
