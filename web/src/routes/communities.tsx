// All communities, the member's own first, and creating one.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Landmark, Plus } from 'lucide-react';
import { communitiesQuery } from '@/api/queries';
import { CommunityRow, CommunitySkeletons } from '@/features/communities/community-row';
import { OwnInvitations } from '@/features/communities/own-invitations';
import { useCommunityDialog } from '@/features/communities/use-community-dialog';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { PagedCard } from '@/ui/paged-list';
import { useStartRequest } from '@/ui/start-request';

export function Component() {
  const { t } = useTranslation('communities');
  const { user } = useAuth();
  const founding = useCommunityDialog();
  useStartRequest('community', founding.open);
  return (
    <Page>
      <PageMeta page="communities" />
      <PageHeading
        title={t('title')}
        action={
          user && (
            <Button
              className="max-sm:w-9 max-sm:px-0"
              aria-label={t('create')}
              aria-haspopup="dialog"
              onClick={founding.open}
            >
              <Plus className="icon-sm" />
              <span className="max-sm:hidden">{t('create')}</span>
            </Button>
          )
        }
      />
      {user && <OwnInvitations />}
      <PagedCard
        query={useInfiniteQuery(communitiesQuery)}
        skeleton={<CommunitySkeletons />}
        failed={t('failed')}
        more={t('more')}
        empty={<EmptyCard icon={Landmark} title={t('none')} />}
        label={t('title')}
      >
        {(community) => <CommunityRow key={community.id} community={community} />}
      </PagedCard>
      {founding.dialog}
    </Page>
  );
}
