// The page of a community: header, posts, members and rules.
import { useQuery } from '@tanstack/react-query';
import { Landmark } from 'lucide-react';
import { useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { communityQuery } from '@/api/queries';
import { CommunityHeader, CommunitySkeleton } from '@/features/communities/community-header';
import { CommunityTabs } from '@/features/communities/community-tabs';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { DetailFallback } from '@/ui/detail-fallback';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('communities');
  const { id = '' } = useParams();
  const query = useQuery(communityQuery(id));
  const community = query.data;
  useLiveTopic(community ? `community ${community.id}` : null);
  return (
    // The key remounts the screen for another community, which discards typed texts.
    <Page key={id} width="reading">
      {community ? (
        <>
          <NamedMeta page="community" name={community.name} />
          <CommunityHeader community={community} />
          <CommunityTabs community={community} />
        </>
      ) : (
        <>
          <PageMeta page="communities" />
          <DetailFallback
            heading={t('one')}
            query={query}
            skeleton={<CommunitySkeleton />}
            gone={isUnknown(query.error)}
            unknown={{ icon: Landmark, title: t('unknown'), hint: t('unknownHint') }}
            others={{ to: paths.communities, label: t('all') }}
            failed={t('oneFailed')}
          />
        </>
      )}
    </Page>
  );
}
