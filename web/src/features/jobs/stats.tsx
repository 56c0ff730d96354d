// One card with four numbers.
import { useQuery } from '@tanstack/react-query';
import { jobStatsQuery } from '@/api/queries';
import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';

const cells = ['totalJobs', 'internships', 'entryLevel', 'fullTime'] as const;
const lines = ['', 'border-l', 'max-sm:border-t sm:border-l', 'border-l max-sm:border-t'];

export function JobStatsCard() {
  const { t, i18n } = useTranslation('jobs');
  const { data } = useQuery(jobStatsQuery);
  return (
    <dl className="card grid grid-cols-2 overflow-hidden sm:grid-cols-4">
      {cells.map((cell, at) => (
        <div
          key={cell}
          className={`flex min-w-0 items-baseline justify-end gap-x-2 px-4 py-2.5 max-sm:flex-row-reverse sm:flex-col-reverse sm:px-6 sm:py-4 ${lines[at]}`}
        >
          <dt className="text-caption text-muted-foreground">{t(`stats.${cell}`)}</dt>
          <dd className="font-serif text-[1.375rem] leading-7 font-semibold tabular-nums md:text-[1.75rem] md:leading-9">
            {data ? formatNumber(i18n.language, data[cell]) : '–'}
          </dd>
        </div>
      ))}
    </dl>
  );
}
