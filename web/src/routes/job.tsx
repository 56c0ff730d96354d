// The posting whose id stands in the address, also when it is closed.
import { useQuery } from '@tanstack/react-query';
import { BriefcaseBusiness } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { jobQuery } from '@/api/queries';
import { JobPage, JobSkeleton } from '@/features/jobs/job-page';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('jobs');
  const { id = '' } = useParams();
  const { data: job, error, isPending, refetch } = useQuery(jobQuery(id));
  return (
    <Page key={id} className="max-w-[52rem]!">
      {job ? (
        <>
          <NamedMeta page="job" name={`${job.title}, ${job.company}`} about={job.description} />
          <JobPage job={job} />
        </>
      ) : (
        <>
          <PageMeta page="jobs" />
          <h1 className="sr-only">{t('one')}</h1>
          {isPending ? (
            <JobSkeleton />
          ) : isUnknown(error) ? (
            <Unknown />
          ) : (
            <ErrorPanel onRetry={() => void refetch()}>{t('oneFailed')}</ErrorPanel>
          )}
        </>
      )}
    </Page>
  );
}

function Unknown() {
  const { t } = useTranslation('jobs');
  return (
    <Card>
      <Empty
        icon={BriefcaseBusiness}
        title={t('unknown')}
        hint={t('unknownHint')}
        action={
          <Link to={paths.jobs} className={buttonClass({ variant: 'outline' })}>
            {t('allJobs')}
          </Link>
        }
      />
    </Card>
  );
}
