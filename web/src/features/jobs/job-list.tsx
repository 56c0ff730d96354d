// The open postings that match the filters.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { BriefcaseBusiness } from 'lucide-react';
import { itemsOf } from '@/api/pages';
import type { JobFilters } from '@/api/queries';
import { jobsQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { EmptyCard } from '@/ui/empty';
import { PagedList } from '@/ui/paged-list';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import { JobCard } from './job-card';

const distances = 'space-y-3 md:space-y-4';
/** While jobs are to follow, content below the list stays out of the window: it would move. */
const growing = `${distances} min-h-dvh`;

export function JobList({ filters }: { filters: JobFilters }) {
  const { t } = useTranslation('jobs');
  // The previous list stays until the next one is there: a search while typing does not flicker.
  const query = useInfiniteQuery({ ...jobsQuery(filters), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
      <p role="status" className="sr-only">
        {data && !isPlaceholderData && t('shown', { count: itemsOf(data).length })}
      </p>
      <PagedList
        query={query}
        skeleton={<JobSkeletons />}
        failed={t('failed')}
        more={t('more')}
        inSlices
        empty={<EmptyCard icon={BriefcaseBusiness} title={t('none')} hint={t('noneHint')} />}
      >
        {(jobs, begins) => (
          <div className={begins ? growing : distances}>
            {jobs.map((job) => (
              <JobCard key={job.id} job={job} />
            ))}
          </div>
        )}
      </PagedList>
    </div>
  );
}

export function JobSkeletons() {
  return (
    <LoadingRows className={growing} row="card flex gap-4 p-4 md:p-5">
      <Skeleton className="size-12 max-sm:hidden" />
      <Bars
        className="flex-1 pt-1"
        of={[
          'h-4 w-56 max-w-full',
          'mt-1.5 h-3.5 w-40',
          'mt-4 h-3.5 w-[90%] max-w-measure',
          'mt-1.5 h-3.5 w-3/5 max-w-[28rem]',
          'mt-4 h-[1.375rem] w-64 max-w-full',
        ]}
      />
    </LoadingRows>
  );
}
