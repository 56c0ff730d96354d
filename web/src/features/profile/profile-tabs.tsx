// The tabs of a profile: posts, activity, skills.
import { Newspaper } from 'lucide-react';
import { Link } from 'react-router';
import type { ProfileView } from '@/api/schema.gen';
import { PostList } from '@/features/posts/post-list';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { useFilters } from '@/ui/filters';
import { starting } from '@/ui/start-request';
import { TabPanel, Tabs } from '@/ui/tabs';
import { ActivityList } from './activity-list';
import { Skills } from './skills';

const tabs = ['posts', 'activity', 'skills'] as const;

interface ProfileTabsProps {
  view: ProfileView;
  /** Opens the editor at the skills; present for the owner. */
  onEditSkills?: () => void;
}

export function ProfileTabs({ view, onEditSkills }: ProfileTabsProps) {
  const { t } = useTranslation(['profile', 'posts']);
  const isOwner = onEditSkills !== undefined;
  // In the address: Back from a post returns to the tab that led to it.
  const [{ tab = 'posts' }, change] = useFilters<{ tab?: (typeof tabs)[number] }>({ tab: tabs });
  return (
    <Tabs
      tabs={tabs.map((value) => ({ value, label: t(value) }))}
      value={tab}
      onChange={(next) => change({ tab: next === 'posts' ? '' : next })}
      label={t('tabs')}
      className="bg-none"
      frameClassName="card mb-4 px-5"
    >
      <TabPanel value="posts">
        <PostList
          userId={view.user.id}
          empty={
            <EmptyCard
              icon={Newspaper}
              title={t('noPosts')}
              action={
                isOwner && (
                  <Link to={paths.home} {...starting('post')} className={buttonClass({ variant: 'outline' })}>
                    {t('posts:create')}
                  </Link>
                )
              }
            />
          }
        />
      </TabPanel>
      <TabPanel value="activity">
        <ActivityList user={view.user} />
      </TabPanel>
      <TabPanel value="skills">
        <Skills view={view} onEdit={onEditSkills} />
      </TabPanel>
    </Tabs>
  );
}
