// What a screen of one thing shows while it is not there: it is on its way, there is none, or it could not be loaded.
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonClass } from './button';
import { Card } from './card';
import { Empty } from './empty';
import { ErrorPanel } from './error-panel';

interface AbsentProps {
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

export function Absent({ heading, query, skeleton, gone, unknown, others, failed }: AbsentProps) {
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
