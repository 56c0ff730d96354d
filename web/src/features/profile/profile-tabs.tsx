// The right side of a profile: posts, activity, skills.
import { Activity, Newspaper, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProfileView } from '@/api/types';
import { PostList } from '@/features/posts/post-list';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { TabPanel, Tabs } from '@/ui/tabs';

const tabs = ['posts', 'activity', 'skills'] as const;

export function ProfileTabs({ view: { user, profile } }: { view: ProfileView }) {
  const { t } = useTranslation('profile');
  const [tab, setTab] = useState<(typeof tabs)[number]>('posts');
  return (
    <Tabs
      tabs={tabs.map((value) => ({ value, label: t(value) }))}
      value={tab}
      onChange={setTab}
      label={t('tabs')}
      className="card mb-4 px-5"
    >
      <TabPanel value="posts">
        <PostList
          userId={user.id}
          empty={
            <Card>
              <Empty icon={Newspaper} title={t('noPosts')} />
            </Card>
          }
        />
      </TabPanel>
      <TabPanel value="activity">
        <Card>
          <Empty icon={Activity} title={t('noActivity')} />
        </Card>
      </TabPanel>
      <TabPanel value="skills">
        <Card>
          {profile.skills.length > 0 ? (
            <ul className="divide-y px-5">
              {profile.skills.map((skill) => (
                <li key={skill} className="py-3 text-ui font-medium wrap-anywhere">
                  {skill}
                </li>
              ))}
            </ul>
          ) : (
            <Empty icon={Sparkles} title={t('noSkills')} />
          )}
        </Card>
      </TabPanel>
    </Tabs>
  );
}
