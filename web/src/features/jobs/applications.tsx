// 'My Applications': rows of one card, newest application first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import { applicationsQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { Card } from '@/ui/card';
import { EmptyCard } from '@/ui/empty';
import { PagedList } from '@/ui/paged-list';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import { ApplicationRow } from './application-row';

export function Applications() {
  const { t } = useTranslation('jobs');
  return (
    <PagedList
      query={useInfiniteQuery(applicationsQuery)}
      skeleton={<ApplicationSkeletons />}
      failed={t('applicationsFailed')}
      more={t('moreApplications')}
      empty={<EmptyCard icon={ClipboardList} title={t('noApplications')} hint={t('noApplicationsHint')} />}
    >
      {(applications) => (
        <Card className="divide-y" aria-label={t('applications')}>
          {applications.map((application) => (
            <ApplicationRow key={application.id} application={application} />
          ))}
        </Card>
      )}
    </PagedList>
  );
}

export function ApplicationSkeletons() {
  return (
    <LoadingRows className="card divide-y" row="flex items-center gap-4 p-4 md:px-5">
      <Skeleton className="size-12 max-sm:hidden" />
      <Bars
        className="flex-1 space-y-2"
        of={['h-3.5 w-48 max-w-full', 'h-3 w-40 max-w-full', 'h-3 w-64 max-w-full']}
      />
      <Skeleton className="h-[1.375rem] w-20" />
    </LoadingRows>
  );
}
