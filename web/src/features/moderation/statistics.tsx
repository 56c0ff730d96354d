// The numbers of moderation of the last 30 days, with bars for the eye and figures for everyone.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { moderationStatsQuery } from '@/api/moderation';
import type { ModerationStats } from '@/api/schema.gen';
import { formatDate, relativeTime } from '@/i18n/format';
import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';
import { Card } from '@/ui/card';
import { ErrorPanel } from '@/ui/error-panel';
import { CaseSkeletons } from './case-skeletons';

/** Needs the texts of `moderation` and `reports`. */
export function Statistics() {
  const { t } = useTranslation('moderation');
  const { data, isPending, refetch } = useQuery(moderationStatsQuery);
  if (isPending) return <CaseSkeletons />;
  if (!data) return <ErrorPanel onRetry={() => void refetch()}>{t('statsFailed')}</ErrorPanel>;
  return <Numbers of={data} />;
}

function Numbers({ of: stats }: { of: ModerationStats }) {
  const { t, i18n } = useTranslation(['moderation', 'reports']);
  const days = stats.days.filter(({ removed, dismissed }) => removed + dismissed > 0).toReversed();
  const number = (value: number) => formatNumber(i18n.language, value);
  return (
    <div className="space-y-5">
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Figure label={t('stats.open')}>{number(stats.open)}</Figure>
        <Figure label={t('stats.oldest')}>
          {stats.oldestOpenAt ? relativeTime(i18n.language, stats.oldestOpenAt) : t('stats.none')}
        </Figure>
        <Figure label={t('stats.median')}>
          {duration(i18n.language, stats.medianSeconds) ?? t('stats.none')}
        </Figure>
        <Figure label={t('stats.openAppeals')}>{number(stats.openAppeals)}</Figure>
        <Figure label={t('stats.upheld')}>{number(stats.appealsUpheld)}</Figure>
        <Figure label={t('stats.overturned')}>{number(stats.appealsOverturned)}</Figure>
      </dl>
      <Bars
        title={t('stats.byReason')}
        rows={stats.reasons.map((of) => ({ ...of, name: t(`reports:reasons.${of.reason}`) }))}
      />
      <Bars
        title={t('stats.byDay')}
        rows={days.map((of) => ({ ...of, name: formatDate(i18n.language, of.day) ?? of.day }))}
      />
    </div>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="card flex flex-col-reverse justify-end px-4 py-3">
      <dt className="text-caption text-muted-foreground">{label}</dt>
      <dd className="font-serif text-heading wrap-anywhere">{children}</dd>
    </div>
  );
}

interface BarRow {
  name: string;
  removed: number;
  dismissed: number;
}

function Bars({ title, rows }: { title: string; rows: BarRow[] }) {
  const { t } = useTranslation('moderation');
  const most = Math.max(1, ...rows.map(({ removed, dismissed }) => removed + dismissed));
  const width = (value: number) => ({ inlineSize: `${(value / most) * 100}%` });
  return (
    <Card className="px-5 py-4" aria-label={title}>
      <h2 className="text-subhead">{title}</h2>
      {rows.length === 0 ? (
        <p className="mt-2 text-ui text-muted-foreground">{t('stats.noDecisions')}</p>
      ) : (
        <ul className="mt-3 space-y-2.5">
          {rows.map(({ name, removed, dismissed }) => (
            <li key={name} className="text-ui">
              <span className="flex flex-wrap justify-between gap-x-3">
                <span className="font-medium">{name}</span>
                <span className="text-caption text-muted-foreground">
                  {t('stats.removedKept', { removed, dismissed })}
                </span>
              </span>
              <span aria-hidden="true" className="mt-1 flex h-2 overflow-hidden rounded-full bg-muted">
                <span className="bg-destructive" style={width(removed)} />
                <span className="bg-gold" style={width(dismissed)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** In the largest unit that fits: "3 hours". */
function duration(language: string, seconds: number | null): string | null {
  if (seconds === null) return null;
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ['second', 1];
  const value = Math.round(seconds / size);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
