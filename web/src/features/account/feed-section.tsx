// Settings, Feed: the way to the feed settings.
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { SettingsSection } from './settings-section';

export function FeedSection() {
  const { t } = useTranslation('settings');
  return (
    <SettingsSection anchor="feed" title={t('feed.title')} about={t('feed.about')}>
      <Link to={paths.feedSettings} className={buttonClass({ variant: 'outline' })}>
        {t('feed.open')}
      </Link>
    </SettingsSection>
  );
}
