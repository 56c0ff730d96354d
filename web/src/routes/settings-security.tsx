// Sign-in and security: sessions and trusted browsers, passkeys, recovery codes, and the authenticator app.
import { PasskeysSection } from '@/features/account/passkeys-section';
import { RecoverySection } from '@/features/account/recovery-section';
import { SessionsSection } from '@/features/account/sessions-section';
import { SettingsPage } from '@/features/account/settings-page';
import { TotpSection } from '@/features/account/totp-section';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';

export function Component() {
  const { t } = useTranslation('settings');
  const { user } = useAuth();
  if (!user) return null;
  return (
    <SettingsPage name="security" lead={t('securityLead')}>
      <SessionsSection />
      <PasskeysSection />
      <RecoverySection user={user} />
      <TotpSection user={user} />
    </SettingsPage>
  );
}
