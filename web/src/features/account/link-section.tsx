// Settings, Feed and Privacy: the ways to screens of their own.
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { SettingsSection } from './settings-section';

export function LinkSection({ to }: { to: 'feed' | 'privacy' }) {
  const { t } = useTranslation('settings');
  return (
    <SettingsSection anchor={to} title={t(`${to}.title`)} about={t(`${to}.about`)}>
      <Link to={paths[`${to}Settings`]} className={buttonClass({ variant: 'outline' })}>
        {t(`${to}.open`)}
      </Link>
    </SettingsSection>
  );
}
