// Short facts of a posting: kinds as badges, the others with an icon each.
import { Banknote, Building2, CalendarDays, Clock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Job } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { formatDeadline } from '@/i18n/format-deadline';
import { useTranslation } from '@/i18n/use-translation';
import { Badge } from '@/ui/badge';
export const employerAndPlace = ({ company, location }: Job) =>
  [company, location].filter(Boolean).join(' · ');

/** Employment type, experience and field of law; first, whether the posting is a sample. */
export function Kinds({ job }: { job: Job }) {
  const { t } = useTranslation('jobs');
  const kinds = [job.employmentType, job.experienceLevel, job.practiceArea].filter((kind) => kind !== null);
  if (!job.isDemo && kinds.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {job.isDemo && (
        <span className="badge border" title={t('demoHint')}>
          {t('demo')}
        </span>
      )}
      {kinds.map((kind) => (
        <Badge key={kind}>{t(`option.${kind}`, { defaultValue: kind })}</Badge>
      ))}
    </div>
  );
}

interface FactsProps {
  job: Job;
  /** Also shows the publication date, where there is room. */
  posted?: boolean;
  className?: string;
}

/** Source (except for samples), salary, and deadline. */
export function Facts({ job, posted, className = '' }: FactsProps) {
  const { t, i18n } = useTranslation('jobs');
  const deadline = formatDeadline(i18n.language, job.applicationDeadline);
  const since = posted && formatDate(i18n.language, job.postedAt);
  return (
    <div
      className={`flex flex-wrap items-center gap-x-5 gap-y-1 text-caption text-muted-foreground ${className}`}
    >
      {!job.isDemo && <Fact icon={Building2}>{t('from', { source: job.source })}</Fact>}
      {since && <Fact icon={CalendarDays}>{t('posted', { date: since })}</Fact>}
      <Fact icon={Banknote}>{job.salary || t('noSalary')}</Fact>
      {deadline && <Fact icon={Clock}>{t('applyBy', { date: deadline })}</Fact>}
    </div>
  );
}

function Fact({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 wrap-anywhere">
      <Icon className="icon-sm" />
      {children}
    </span>
  );
}
