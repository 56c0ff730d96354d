// The page of a posting, also after it closed.
import { useQuery } from '@tanstack/react-query';
import { BriefcaseBusiness } from 'lucide-react';
import { useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { jobQuery } from '@/api/queries';
import { JobPage, JobSkeleton } from '@/features/jobs/job-page';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { DetailFallback } from '@/ui/detail-fallback';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';

export function Component() {
  const { t } = useTranslation('jobs');
  const { id = '' } = useParams();
  const query = useQuery(jobQuery(id));
  const job = query.data;
  return (
    <Page key={id} width="reading">
      {job ? (
        <>
          <NamedMeta page="job" name={`${job.title}, ${job.company}`} about={job.description} />
          <JobPage job={job} />
        </>
      ) : (
        <DetailFallback
          page="jobs"
          heading={t('one')}
          query={query}
          skeleton={<JobSkeleton />}
          gone={isUnknown(query.error)}
          unknown={{ icon: BriefcaseBusiness, title: t('unknown'), hint: t('unknownHint') }}
          others={{ to: paths.jobs, label: t('allJobs') }}
          failed={t('oneFailed')}
        />
      )}
    </Page>
  );
}
