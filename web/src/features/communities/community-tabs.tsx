// The tabs of a community: posts, members, about. The tab is part of the address.

import { useSearchParams } from 'react-router';
import type { CommunityDetails } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { TabPanel, Tabs } from '@/ui/tabs';
import { About } from './about';
import { CommunityPosts } from './community-posts';
import { Members } from './members';

const tabs = ['posts', 'members', 'about'] as const;

export function CommunityTabs({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation('communities');
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((name) => name === search.get('tab')) ?? 'posts';
  return (
    <Tabs
      tabs={tabs.map((value) => ({
        value,
        label: t(`tab.${value}`),
        ...(value === 'members' && { count: community.memberCount }),
      }))}
      value={tab}
      onChange={(next) => setSearch(next === 'posts' ? {} : { tab: next }, { replace: true })}
      label={t('tabs')}
      className="mt-4 mb-4 max-md:-mx-4 max-md:px-4 md:mt-5"
    >
      <TabPanel value="posts">
        <CommunityPosts community={community} />
      </TabPanel>
      <TabPanel value="members">
        <Members community={community} />
      </TabPanel>
      <TabPanel value="about">
        <About community={community} />
      </TabPanel>
    </Tabs>
  );
}
