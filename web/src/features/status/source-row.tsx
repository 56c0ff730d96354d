// A source with its state, last success, new items, and next visit.
import { CircleAlert, CircleCheck, Clock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SourceStatus } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';
import { RelativeTime } from '@/ui/relative-time';

const looks: Record<SourceStatus['state'], { icon: LucideIcon; className: string }> = {
  waiting: { icon: Clock, className: 'text-muted-foreground' },
  healthy: { icon: CircleCheck, className: 'text-success-text' },
  failing: { icon: CircleAlert, className: 'text-destructive-text' },
};

export function SourceRow({ source }: { source: SourceStatus }) {
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
