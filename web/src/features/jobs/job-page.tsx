// The page of a posting: facts, the apply button or a closed notice, and the full description.
import { Archive, ExternalLink, Flag } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import type { Job } from '@/api/schema.gen';
import { SaveButton } from '@/features/saved/save-button';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Button, buttonClass } from '@/ui/button';
import { Card, CardHeading } from '@/ui/card';
import { lazy } from '@/ui/lazy';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { useOpening } from '@/ui/use-opening';
import { webAddress } from '@/web-address';
import { ApplyButton } from './apply-button';
import { employerAndPlace, Facts, Kinds } from './job-facts';
import { Monogram } from './monogram';

export function JobPage({ job }: { job: Job }) {
  const { t } = useTranslation('jobs');
  const title = useId();
  const original = webAddress(job.externalUrl);
  return (
    <div className="space-y-4">
      <Card className="p-4 md:p-6">
        <div className="flex items-start gap-4 md:gap-5">
          <Monogram company={job.company} />
          <div className="min-w-0 wrap-anywhere">
            <h1 id={title} className="font-serif text-title text-balance max-sm:text-[1.625rem]">
              {job.title}
            </h1>
            <p className="mt-0.5 text-body text-muted-foreground">{employerAndPlace(job)}</p>
          </div>
        </div>
        <div className="mt-4 space-y-3">
          <Kinds job={job} />
          <Facts job={job} posted />
        </div>
        {job.closedAt && <Closed at={job.closedAt} />}
        <div className="mt-5 flex flex-wrap items-center gap-2">
          {(!job.closedAt || job.applied) && (
            <ApplyButton job={job} describedBy={title} className="max-sm:w-full" />
          )}
          {original && (
            <a
              href={original}
              target="_blank"
              rel="noopener nofollow"
              className={buttonClass({ variant: 'outline', className: 'max-sm:w-full' })}
            >
              <ExternalLink className="icon-sm" />
              {t('original')}
            </a>
          )}
          <SaveButton kind="job" id={job.id} name={job.title} worded className="max-sm:w-full" />
          <ReportJob id={job.id} />
          {job.applied && (
            <Link to={paths.applications} className="link text-ui sm:ml-2">
              {t('seeApplications')}
            </Link>
          )}
        </div>
      </Card>
      {job.description && (
        <Card className="p-4 md:p-6" aria-label={t('about')}>
          <CardHeading>{t('about')}</CardHeading>
          <p className="mt-2 max-w-measure whitespace-pre-line text-body wrap-anywhere">{job.description}</p>
        </Card>
      )}
    </div>
  );
}

function Closed({ at }: { at: string }) {
  const { t, i18n } = useTranslation('jobs');
  const date = formatDate(i18n.language, at);
  return (
    <p className="mt-5 flex items-start gap-2 rounded-lg bg-muted p-4 text-ui">
      <Archive className="icon-sm mt-0.5 text-muted-foreground" />
      <span>
        {t('closedText')} {date && t('closedOn', { date })}
      </span>
    </p>
  );
}

export function JobSkeleton() {
  return (
    <Loading className="card p-4 md:p-6">
      <div className="flex gap-5">
        <Skeleton className="size-12 max-sm:hidden" />
        <Bars className="flex-1" of={['h-8 w-72 max-w-full', 'mt-2 h-3.5 w-48 max-w-full']} />
      </div>
      <Skeleton className="mt-5 h-[1.375rem] w-64 max-w-full" />
      <Skeleton className="mt-3 h-3.5 w-80 max-w-full" />
      <Skeleton className="mt-6 h-9 w-28" />
    </Loading>
  );
}

const ReportDialog = lazy(async () => (await import('@/features/reports/report-dialog')).ReportDialog);

function ReportJob({ id }: { id: string }) {
  const { t } = useTranslation('jobs');
  const { user } = useAuth();
  const { nr, isOpen, open, close } = useOpening();
  if (!user) return null;
  return (
    <>
      <Button variant="ghost" className="max-sm:w-full" aria-haspopup="dialog" onClick={open}>
        <Flag className="icon-sm" />
        {t('report')}
      </Button>
      {nr > 0 && <ReportDialog subject={isOpen ? { kind: 'job', id } : null} onClose={close} />}
    </>
  );
}
