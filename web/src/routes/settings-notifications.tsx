// Notification settings: the kinds in groups, and the notifications of this device.
import { PushSection } from '@/features/account/push-section';
import { SettingsPage } from '@/features/account/settings-page';
import { NotificationsSections } from '@/features/notifications/notifications-sections';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';

export function Component() {
  const { t } = useTranslation('notifications');
  const { user } = useAuth();
  if (!user) return null;
  return (
    <SettingsPage name="notifications" lead={t('settings.about')}>
      <NotificationsSections />
      <PushSection user={user} />
    </SettingsPage>
  );
}
