// Privacy settings: who sees and writes, blocked members, and mutes.
import { BlocksSection } from '@/features/account/blocks-section';
import { PrivacySettingsForm } from '@/features/account/privacy-settings';
import { SettingsPage } from '@/features/account/settings-page';
import { MutesSections } from '@/features/feed-control/mutes-sections';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';

export function Component() {
  const { t } = useTranslation(['settings', 'feeds']);
  const { user } = useAuth();
  if (!user) return null;
  return (
    <SettingsPage name="privacy" lead={t('privacy.lead')}>
      <PrivacySettingsForm user={user} />
      <BlocksSection user={user} />
      <p className="max-w-measure text-body text-pretty text-muted-foreground">{t('feeds:mutePlaces')}</p>
      <MutesSections />
    </SettingsPage>
  );
}
