// Grey placeholder shapes during loading.
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';

/** One bar or disc; the classes set its size, `rounded-full!` makes a disc. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton ${className}`} />;
}

interface BarsProps {
  /** The classes of each bar. */
  of: readonly string[];
  className?: string;
}

/** Bars below each other. */
export function Bars({ of, className }: BarsProps) {
  return <div className={className}>{shapes(of)}</div>;
}

const shapes = (bars: readonly string[] = []) => bars.map((bar) => <Skeleton key={bar} className={bar} />);

interface LoadingProps {
  className?: string;
  /** The classes of each bar, where the placeholder is bars alone. */
  bars?: readonly string[];
  children?: ReactNode;
}

/** Announces "Loading" to screen readers and shows the shapes only after 150 ms, so that a quick response does not flicker. */
export function Loading({ className = '', bars, children }: LoadingProps) {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className={`appear-late ${className}`}>
      {children ?? shapes(bars)}
    </div>
  );
}

interface LoadingRowsProps extends LoadingProps {
  count?: number;
  /** The classes of a row. */
  row?: string;
}

/** The rows of a list, each with the same shapes. */
export function LoadingRows({ count = 3, className, row, bars, children }: LoadingRowsProps) {
  return (
    <Loading className={className}>
      {Array.from(Array(count).keys(), (at) => (
        <div key={at} className={row}>
          {children ?? shapes(bars)}
        </div>
      ))}
    </Loading>
  );
}
