// Feed settings: the order of the posts and link previews, followed members, and hidden posts.
import { FeedSection } from '@/features/account/feed-section';
import { SettingsPage } from '@/features/account/settings-page';
import { FollowsSection } from '@/features/feed-control/follows-section';
import { HiddenPostsSection } from '@/features/feed-control/hidden-posts-section';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';

export function Component() {
  const { t } = useTranslation('feeds');
  const { user } = useAuth();
  if (!user) return null;
  return (
    <SettingsPage name="feed" lead={t('settings.lead')}>
      <FeedSection user={user} />
      <FollowsSection />
      <HiddenPostsSection />
    </SettingsPage>
  );
}
