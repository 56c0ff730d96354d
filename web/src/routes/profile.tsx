// The profile of the member whose id stands in the address.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { profileQuery } from '@/api/queries';
import { ProfileCards } from '@/features/profile/profile-cards';
import { ProfileHeader } from '@/features/profile/profile-header';
import { ProfileTabs } from '@/features/profile/profile-tabs';
import { ErrorPanel } from '@/ui/error-panel';
import { Page } from '@/ui/page';
import { ProfileMeta } from '@/ui/page-meta';
import { Loading, Skeleton } from '@/ui/skeleton';

export function Component() {
  const { id = '' } = useParams();
  const { t } = useTranslation('profile');
  const { data: view, isPending } = useQuery(profileQuery(id));
  if (isPending) return <ProfileSkeleton />;
  if (!view) {
    return (
      <Page>
        <ErrorPanel title={t('failedTitle')}>{t('failed')}</ErrorPanel>
      </Page>
    );
  }
  return (
    // Another member is another screen: an open tab or comment box of the last one does not stay.
    <Page key={id}>
      <ProfileMeta name={view.user.fullName} />
      <ProfileHeader user={view.user} />
      <div className="mt-4 grid grid-cols-1 items-start gap-4 md:mt-6 md:grid-cols-[20rem_minmax(0,1fr)] md:gap-6 xl:grid-cols-[24rem_minmax(0,1fr)]">
        <div className="min-w-0 space-y-4">
          <ProfileCards view={view} />
        </div>
        <div className="min-w-0">
          <ProfileTabs view={view} />
        </div>
      </div>
    </Page>
  );
}

function ProfileSkeleton() {
  return (
    <Page>
      <Loading className="card overflow-hidden">
        <Skeleton className="h-32 rounded-none! md:h-40" />
        <div className="space-y-3 px-4 py-6 md:px-8">
          <Skeleton className="h-8 w-64 max-w-full" />
          <Skeleton className="h-4 w-80 max-w-full" />
          <Skeleton className="h-3.5 w-48" />
        </div>
      </Loading>
    </Page>
  );
}
