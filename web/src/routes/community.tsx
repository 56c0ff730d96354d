// The page of a community: header, posts, members and rules.
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Landmark, LockKeyhole, Newspaper } from 'lucide-react';
import { useParams, useSearchParams } from 'react-router';
import { membershipKey } from '@/api/communities';
import { isUnknown } from '@/api/error';
import { communityQuery } from '@/api/queries';
import type { CommunityDetails } from '@/api/schema.gen';
import { About } from '@/features/communities/about';
import { CommunityHeader, CommunitySkeleton } from '@/features/communities/community-header';
import { ManageSkeletons } from '@/features/communities/manage-skeletons';
import { Members } from '@/features/communities/members';
import { moderates } from '@/features/communities/roles';
import { Composer } from '@/features/posts/composer';
import { PostList } from '@/features/posts/post-list';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { DetailFallback } from '@/ui/detail-fallback';
import { EmptyCard } from '@/ui/empty';
import { lazy } from '@/ui/lazy';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';
import { TabPanel, Tabs } from '@/ui/tabs';

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
        <DetailFallback
          page="communities"
          heading={t('one')}
          query={query}
          skeleton={<CommunitySkeleton />}
          gone={isUnknown(query.error)}
          unknown={{ icon: Landmark, title: t('unknown'), hint: t('unknownHint') }}
          others={{ to: paths.communities, label: t('all') }}
          failed={t('oneFailed')}
        />
      )}
    </Page>
  );
}

const tabs = ['posts', 'members', 'about', 'manage'] as const;
const Manage = lazy(
  async () => (await withTexts(import('@/features/communities/manage'), 'manage')).Manage,
  'essential',
);

function CommunityTabs({ community }: { community: CommunityDetails }) {
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

/** Also needs the texts of `posts` and `network`. */
function CommunityPosts({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation(['communities', 'posts']);
  const { user, isLoading } = useAuth();
  // The role is updated optimistically; the posts need the server's response.
  const isChanging = useIsMutating({ mutationKey: membershipKey(community.id) }) > 0;
  // The server may accept the request before the session query has finished.
  if (community.role && isLoading) return <PostSkeletons />;
  const isInvited = community.standing === 'invited';
  if (!user || !community.role) {
    return (
      <EmptyCard icon={LockKeyhole} title={t(`joinToSee.${isInvited ? 'invited' : community.joining}`)} />
    );
  }
  return (
    <div className="space-y-4">
      <Composer user={user} community={community} />
      {isChanging ? (
        <PostSkeletons />
      ) : (
        <PostList
          communityId={community.id}
          empty={<EmptyCard icon={Newspaper} title={t('posts:none')} hint={t('posts:noneHint')} />}
        />
      )}
    </div>
  );
}
