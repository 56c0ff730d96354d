// Settings, Your data: the export of the member's data as a ZIP.
import { Download } from 'lucide-react';
import type { User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { buttonClass } from '@/ui/button';
import { SettingsSection } from './settings-section';

export function DataSection({ user }: { user: User }) {
  const { t } = useTranslation('settings');
  return (
    <SettingsSection title={t('data.title')} about={t('data.about')}>
      {/* The browser's own download streams to disk and reports an interrupted transfer. */}
      <a
        href={`/api/users/${encodeURIComponent(user.id)}/export`}
        download
        className={buttonClass({ variant: 'outline' })}
      >
        <Download className="icon-sm" aria-hidden="true" />
        {t('data.export')}
      </a>
    </SettingsSection>
  );
}
