// The fallback of a detail screen: loading, not found, or failed.
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonClass } from './button';
import { EmptyCard } from './empty';
import { ErrorPanel } from './error-panel';
import { PageMeta } from './page-meta';

interface DetailFallbackProps {
  /** The meta tags; without it, the screen sets them. */
  page?: ComponentProps<typeof PageMeta>['page'];
  /** The heading, for screen readers. */
  heading: string;
  query: { isPending: boolean; refetch: () => unknown };
  /** In the shape of the content. */
  skeleton: ReactNode;
  /** The resource does not exist. */
  gone: boolean;
  unknown: { icon: LucideIcon; title: string; hint: string };
  /** The link to the list of its kind. */
  others: { to: string; label: string };
  /** The sentence after a failure. */
  failed: string;
}

export function DetailFallback({
  page,
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
      {page && <PageMeta page={page} />}
      <h1 className="sr-only">{heading}</h1>
      {query.isPending ? (
        skeleton
      ) : gone ? (
        <EmptyCard
          {...unknown}
          action={
            <Link to={others.to} className={buttonClass({ variant: 'outline' })}>
              {others.label}
            </Link>
          }
        />
      ) : (
        <ErrorPanel onRetry={() => void query.refetch()}>{failed}</ErrorPanel>
      )}
    </>
  );
}
