// 'My Applications': rows of one card, newest application first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import { applicationsQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { PagedList } from '@/ui/paged-list';
import { Loading, Skeleton } from '@/ui/skeleton';
import { ApplicationRow } from './application-row';

export function Applications() {
  const { t } = useTranslation('jobs');
  return (
    <PagedList
      query={useInfiniteQuery(applicationsQuery)}
      skeleton={<ApplicationSkeletons />}
      failed={t('applicationsFailed')}
      more={t('moreApplications')}
      empty={
        <Card>
          <Empty icon={ClipboardList} title={t('noApplications')} hint={t('noApplicationsHint')} />
        </Card>
      }
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
    <Loading className="card divide-y">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-center gap-4 p-4 md:px-5">
          <Skeleton className="size-12 max-sm:hidden" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-3.5 w-48 max-w-full" />
            <Skeleton className="h-3 w-40 max-w-full" />
            <Skeleton className="h-3 w-64 max-w-full" />
          </div>
          <Skeleton className="h-[1.375rem] w-20" />
        </div>
      ))}
    </Loading>
  );
}
