// The account page of the settings: password, export of the data, and deletion. Old links to sections of other pages lead there.
import { Navigate, useLocation } from 'react-router';
import { DataSection } from '@/features/account/data-section';
import { DeletionSection } from '@/features/account/deletion-section';
import { PasswordSection } from '@/features/account/password-section';
import { SettingsPage } from '@/features/account/settings-page';
import { movedSection } from '@/features/account/settings-pages';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';

export function Component() {
  const { t } = useTranslation('settings');
  const { user } = useAuth();
  const moved = movedSection(useLocation().hash);
  if (moved) return <Navigate to={moved} replace state={{ focusField: true }} />;
  if (!user) return null;
  return (
    <SettingsPage name="account" lead={t('lead', { username: user.username })}>
      <PasswordSection user={user} />
      <DataSection user={user} />
      <DeletionSection user={user} />
    </SettingsPage>
  );
}
