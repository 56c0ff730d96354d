// The sources of jobs or of news.

import type { SourceStatus } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Card, CardHeading } from '@/ui/card';
import { ErrorPanel } from '@/ui/error-panel';
import { LoadingRows, Skeleton } from '@/ui/skeleton';
import { SourceRow } from './source-row';

interface SourceListProps {
  of: 'jobs' | 'news';
  /** Null if their service did not respond. */
  sources: SourceStatus[] | null;
  onRetry: () => void;
}

export function SourceList({ of, sources, onRetry }: SourceListProps) {
  const { t } = useTranslation('status');
  const title = t(`${of}.title`);
  return (
    <Card aria-label={title}>
      <div className="px-4 pt-4 md:px-5 md:pt-5">
        <CardHeading>{title}</CardHeading>
      </div>
      {!sources ? (
        <div className="p-4 md:px-5 md:pb-5">
          <ErrorPanel onRetry={onRetry}>{t(`${of}.failed`)}</ErrorPanel>
        </div>
      ) : sources.length === 0 ? (
        <p className="px-4 pt-2 pb-4 text-ui text-muted-foreground md:px-5 md:pb-5">{t(`${of}.none`)}</p>
      ) : (
        <ul className="divide-y">
          {sources.map((source) => (
            <SourceRow key={`${source.connector} ${source.name}`} source={source} />
          ))}
        </ul>
      )}
    </Card>
  );
}

export function SourceSkeletons() {
  return (
    <LoadingRows count={2} className="space-y-4" row="card space-y-6 p-4 md:p-5">
      <Skeleton className="h-4 w-24" />
      {[0, 1, 2].map((row) => (
        <div key={row} className="space-y-2.5">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-3 w-[90%]" />
        </div>
      ))}
    </LoadingRows>
  );
}
