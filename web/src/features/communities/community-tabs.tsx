// The tabs of a community: posts, members, about, and for owners and moderators manage. The tab is part of the address.

import { useSearchParams } from 'react-router';
import type { CommunityDetails } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { lazy } from '@/ui/lazy';
import { TabPanel, Tabs } from '@/ui/tabs';
import { About } from './about';
import { CommunityPosts } from './community-posts';
import { ManageSkeletons } from './manage-skeletons';
import { Members } from './members';
import { moderates } from './roles';

const tabs = ['posts', 'members', 'about', 'manage'] as const;
const Manage = lazy(async () => {
  const [{ Manage }] = await Promise.all([import('./manage'), loadTexts('manage')]);
  return Manage;
}, 'essential');

export function CommunityTabs({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation('communities');
  const [search, setSearch] = useSearchParams();
  // Who is only invited to a private community does not see its members.
  const hidesMembers = community.visibility === 'private' && !community.role;
  const shown = tabs.filter((name) =>
    name === 'members' ? !hidesMembers : name !== 'manage' || moderates(community),
  );
  const tab = shown.find((name) => name === search.get('tab')) ?? 'posts';
  return (
    <Tabs
      tabs={shown.map((value) => ({
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
      <TabPanel value="manage">
        <Manage community={community} fallback={<ManageSkeletons />} />
      </TabPanel>
    </Tabs>
  );
}
