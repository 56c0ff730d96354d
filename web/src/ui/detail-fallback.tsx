// The fallback of a detail screen: loading, not found, or failed.
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonClass } from './button';
import { Card } from './card';
import { Empty } from './empty';
import { ErrorPanel } from './error-panel';

interface DetailFallbackProps {
  /** What the screen is of, for those who do not see its shape. */
  heading: string;
  query: { isPending: boolean; refetch: () => unknown };
  /** In the shape of what comes. */
  skeleton: ReactNode;
  /** There is no such thing, and this is said of it. */
  gone: boolean;
  unknown: { icon: LucideIcon; title: string; hint: string };
  /** The way to the others of its kind. */
  others: { to: string; label: string };
  /** The sentence when it could not be loaded. */
  failed: string;
}

export function DetailFallback({
  heading,
  query,
  skeleton,
  gone,
  unknown,
  others,
  failed,
}: DetailFallbackProps) {
  return (
    <>
      <h1 className="sr-only">{heading}</h1>
      {query.isPending ? (
        skeleton
      ) : gone ? (
        <Card>
          <Empty
            {...unknown}
            action={
              <Link to={others.to} className={buttonClass({ variant: 'outline' })}>
                {others.label}
              </Link>
            }
          />
        </Card>
      ) : (
        <ErrorPanel onRetry={() => void query.refetch()}>{failed}</ErrorPanel>
      )}
    </>
  );
}
