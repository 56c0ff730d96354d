// The popover of the notifications button: the newest notifications and a link to all of them.
import { type ReactElement, useState } from 'react';
import { Link } from 'react-router';
import { LatestNotifications } from '@/features/notifications/latest-notifications';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Popover } from '@/ui/popover';
import { headerEnd } from './navigation';

export function NotificationsPopover({ trigger }: { trigger: ReactElement }) {
  const { t } = useTranslation('notifications');
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Popover trigger={trigger} label={t('title')} anchorId={headerEnd} open={open} onOpenChange={setOpen}>
      <h2 className="px-4 pt-3.5 pb-2 text-subhead">{t('title')}</h2>
      <LatestNotifications onFollow={close} />
      <div className="sticky bottom-0 border-t bg-popover px-4 py-2.5">
        <Link to={paths.notifications} className="link reach text-caption font-medium" onClick={close}>
          {t('seeAll')}
        </Link>
      </div>
    </Popover>
  );
}
