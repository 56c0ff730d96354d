// What the bell opens.
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '@/ui/popover';
import { headerEnd } from './navigation';

// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export.
export default function NotificationsPopover({ trigger }: { trigger: ReactElement }) {
  const { t } = useTranslation('shell');
  return (
    <Popover trigger={trigger} label={t('notifications.title')} anchorId={headerEnd} defaultOpen>
      <h2 className="px-4 pt-3.5 pb-2 text-subhead">{t('notifications.title')}</h2>
      <p className="px-4 pb-5 text-ui text-muted-foreground">{t('notifications.empty')}</p>
    </Popover>
  );
}
