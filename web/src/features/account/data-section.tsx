// Settings, Your data: the export of the member's data as a ZIP.
import { Download } from 'lucide-react';
import { useRef } from 'react';
import { api, read } from '@/api/client';
import type { User } from '@/api/schema.gen';
import { whyRefused } from '@/features/auth/failure';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { buttonClass } from '@/ui/button';
import { SettingsSection } from './settings-section';

export function DataSection({ user }: { user: User }) {
  const { t } = useTranslation('settings');
  const link = useRef<HTMLAnchorElement>(null);
  const isPermitted = useRef(false);
  // A download cannot ask for a proof: this request does before it.
  const permit = useChange({
    mutationFn: () => read(api.GET('/api/auth/reauthenticate')),
    failed: (error) => whyRefused(error, t('data.failed')),
    onSuccess: () => {
      isPermitted.current = true;
      link.current?.click();
    },
  });
  return (
    <SettingsSection anchor="data" title={t('data.title')} about={t('data.about')}>
      {/* The browser's own download streams to disk and reports an interrupted transfer. */}
      <a
        ref={link}
        href={`/api/users/${encodeURIComponent(user.id)}/export`}
        download
        className={buttonClass({ variant: 'outline' })}
        onClick={(event) => {
          if (isPermitted.current) {
            isPermitted.current = false;
            return;
          }
          event.preventDefault();
          if (!permit.isPending) permit.mutate();
        }}
      >
        <Download className="icon-sm" />
        {t('data.export')}
      </a>
    </SettingsSection>
  );
}
