// Settings, Privacy: the way to the privacy settings.
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { SettingsSection } from './settings-section';

export function PrivacySection() {
  const { t } = useTranslation('settings');
  return (
    <SettingsSection anchor="privacy" title={t('privacy.title')} about={t('privacy.about')}>
      <Link to={paths.privacySettings} className={buttonClass({ variant: 'outline' })}>
        {t('privacy.open')}
      </Link>
    </SettingsSection>
  );
}
