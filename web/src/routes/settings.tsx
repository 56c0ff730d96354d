// Account settings: password, sessions, passkeys, recovery codes, authenticator app, appearance, keyboard, notifications, push, feed, privacy, blocked members, data, and deletion.
import { AppearanceSection } from '@/features/account/appearance-section';
import { BlocksSection } from '@/features/account/blocks-section';
import { DataSection } from '@/features/account/data-section';
import { DeletionSection } from '@/features/account/deletion-section';
import { KeyboardSection } from '@/features/account/keyboard-section';
import { LinkSection } from '@/features/account/link-section';
import { PasskeysSection } from '@/features/account/passkeys-section';
import { PasswordSection } from '@/features/account/password-section';
import { PushSection } from '@/features/account/push-section';
import { RecoverySection } from '@/features/account/recovery-section';
import { SessionsSection } from '@/features/account/sessions-section';
import { SettingsContents } from '@/features/account/settings-contents';
import { TotpSection } from '@/features/account/totp-section';
import { NotificationsSection } from '@/features/notifications/notifications-section';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('settings');
  const { user } = useAuth();
  if (!user) return null;
  return (
    <Page>
      <PageMeta page="settings" />
      <PageHeading title={t('title')} lead={t('lead', { username: user.username })} />
      <SettingsContents />
      <div className="space-y-8">
        <PasswordSection user={user} />
        <SessionsSection />
        <PasskeysSection />
        <RecoverySection user={user} />
        <TotpSection user={user} />
        <AppearanceSection />
        <KeyboardSection />
        <NotificationsSection />
        <PushSection user={user} />
        <LinkSection to="feed" />
        <LinkSection to="privacy" />
        <BlocksSection user={user} />
        <DataSection user={user} />
        <DeletionSection user={user} />
      </div>
    </Page>
  );
}
