// The sources of jobs or of news.
import { CircleAlert, CircleCheck, Clock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SourceStatus } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';
import { Card, CardHeading } from '@/ui/card';
import { ErrorPanel } from '@/ui/error-panel';
import { RelativeTime } from '@/ui/relative-time';
import { LoadingRows, Skeleton } from '@/ui/skeleton';

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

const looks: Record<SourceStatus['state'], { icon: LucideIcon; className: string }> = {
  waiting: { icon: Clock, className: 'text-muted-foreground' },
  healthy: { icon: CircleCheck, className: 'text-success-text' },
  failing: { icon: CircleAlert, className: 'text-destructive-text' },
};

/** A source with its state, last success, new items, and next visit. */
function SourceRow({ source }: { source: SourceStatus }) {
  const { t, i18n } = useTranslation('status');
  const { name, connector, state, failure, lastRunAt, lastSuccessAt, newItems, dueAt } = source;
  const { icon: Icon, className } = looks[state];
  return (
    <li className="px-4 py-4 md:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 wrap-anywhere">
          <h3 className="text-ui font-semibold">{name}</h3>
          <p className="text-caption text-muted-foreground">
            {t(`connector.${connector}` as 'connector.rss', { defaultValue: connector })}
          </p>
        </div>
        <p className={`flex items-center gap-1.5 text-caption font-medium ${className}`}>
          <Icon className="icon-sm" />
          {t(`state.${state}`)}
        </p>
      </div>
      {failure && (
        // The error text of the service, in English only.
        <p lang="en" className="mt-2 text-caption text-pretty wrap-anywhere">
          {failure}
        </p>
      )}
      <dl className="mt-3 grid grid-cols-1 gap-x-4 gap-y-1.5 text-caption tabular-nums sm:grid-cols-3">
        <Fact name={t('lastSuccess')}>
          {lastSuccessAt ? <RelativeTime at={lastSuccessAt} /> : t('never')}
        </Fact>
        <Fact name={t('newItems')}>{lastRunAt ? formatNumber(i18n.language, newItems) : t('unknown')}</Fact>
        <Fact name={t('next')}>
          <Due at={dueAt} />
        </Fact>
      </dl>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-1.5 sm:block">
      <dt className="text-muted-foreground max-sm:after:content-[':']">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A late source shows the time of its missed visit: no source is crawled while crawling is disabled. */
function Due({ at }: { at: string | null }) {
  const { t, i18n } = useTranslation('status');
  const date = formatDate(i18n.language, at, { dateStyle: 'medium', timeStyle: 'short' });
  if (!at || !date) return t('unknown');
  return <time dateTime={at}>{Date.parse(at) > Date.now() ? date : t('dueSince', { date })}</time>;
}
