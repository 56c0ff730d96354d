// Appearance and keyboard: theme and language, single-key shortcuts and the list of all shortcuts.
import { AppearanceSection } from '@/features/account/appearance-section';
import { KeyboardSection } from '@/features/account/keyboard-section';
import { SettingsPage } from '@/features/account/settings-page';
import { useTranslation } from '@/i18n/use-translation';

export function Component() {
  const { t } = useTranslation('settings');
  return (
    <SettingsPage name="appearance" lead={t('appearance.about')}>
      <AppearanceSection />
      <KeyboardSection />
    </SettingsPage>
  );
}
