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

interface LoadingRowsProps {
  count?: number;
  className?: string;
  /** The classes of a row. */
  row?: string;
  /** The shapes of a row. */
  children: ReactNode;
}

/** The rows of a list. */
export function LoadingRows({ count = 3, className, row, children }: LoadingRowsProps) {
  return (
    <Loading className={className}>
      {Array.from(Array(count).keys(), (at) => (
        <div key={at} className={row}>
          {children}
        </div>
      ))}
    </Loading>
  );
}
