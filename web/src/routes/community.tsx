// The community whose id stands in the address: its head, and under it posts, members and rules.
import { useQuery } from '@tanstack/react-query';
import { Landmark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { communityQuery } from '@/api/queries';
import { CommunityHeader, CommunitySkeleton } from '@/features/communities/community-header';
import { CommunityTabs } from '@/features/communities/community-tabs';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('communities');
  const { id = '' } = useParams();
  const { data: community, error, isPending, refetch } = useQuery(communityQuery(id));
  return (
    // Another community is another screen: what was typed on the last one does not stay.
    <Page key={id} className="max-w-[52rem]!">
      {community ? (
        <>
          <NamedMeta page="community" name={community.name} />
          <CommunityHeader community={community} />
          <CommunityTabs community={community} />
        </>
      ) : (
        <>
          <PageMeta page="communities" />
          <h1 className="sr-only">{t('one')}</h1>
          {isPending ? (
            <CommunitySkeleton />
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
  const { t } = useTranslation('communities');
  return (
    <Card>
      <Empty
        icon={Landmark}
        title={t('unknown')}
        hint={t('unknownHint')}
        action={
          <Link to={paths.communities} className={buttonClass({ variant: 'outline' })}>
            {t('all')}
          </Link>
        }
      />
    </Card>
  );
}
