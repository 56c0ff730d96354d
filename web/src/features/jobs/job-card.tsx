// A posting: employer, what it is, salary, deadline.
import { Banknote, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { initials } from '@/ui/avatar';
import { Badge } from '@/ui/badge';

interface JobCardProps {
  job: Job;
  /** Apply Now or Applied; drawn once at the right and once, full width, at the bottom on a phone. */
  action?: (className: string) => ReactNode;
}

export function JobCard({ job, action }: JobCardProps) {
  const { t, i18n } = useTranslation('jobs');
  const deadline = formatDate(i18n.language, job.applicationDeadline);
  const kinds = [job.employmentType, job.experienceLevel, job.practiceArea].filter((kind) => kind !== null);
  return (
    <article className="card p-4 md:p-5">
      <div className="flex gap-4">
        <Monogram company={job.company} />
        <div className="min-w-0 flex-1">
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0 wrap-anywhere">
              <h2 className="text-subhead">{job.title}</h2>
              <p className="text-ui text-muted-foreground">
                {[job.company, job.location].filter(Boolean).join(' · ')}
              </p>
            </div>
            {action && <div className="shrink-0 max-sm:hidden">{action('')}</div>}
          </div>
          <p className="mt-2.5 line-clamp-2 max-w-[42rem] text-ui text-pretty wrap-anywhere">
            {job.description}
          </p>
          <div className="mt-3.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5">
            <div className="flex flex-wrap items-center gap-1.5">
              {kinds.map((kind) => (
                <Badge key={kind}>{t(`option.${kind}` as 'option.internship', { defaultValue: kind })}</Badge>
              ))}
            </div>
            <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-caption text-muted-foreground">
              <span className="flex items-center gap-1.5">
                <Banknote className="icon-sm" aria-hidden="true" />
                {job.salary || t('noSalary')}
              </span>
              {deadline && (
                <span className="flex items-center gap-1.5">
                  <Clock className="icon-sm" aria-hidden="true" />
                  {t('applyBy', { date: deadline })}
                </span>
              )}
            </div>
          </div>
          {action && <div className="mt-4 sm:hidden">{action('w-full')}</div>}
        </div>
      </div>
    </article>
  );
}

/** The employer's initials in a tile; not on a phone. */
export function Monogram({ company }: { company: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-12 shrink-0 place-items-center rounded-md border font-serif text-[1.0625rem] font-semibold max-sm:hidden"
    >
      {initials(company)}
    </span>
  );
}
