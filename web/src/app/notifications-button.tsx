// The bell in the header.
import { Bell } from 'lucide-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { OnDemand } from '@/ui/on-demand';

const loadPopover = () => import('./notifications-popover');
const NotificationsPopover = lazy(loadPopover);

export function NotificationsButton() {
  const { t } = useTranslation('shell');
  return (
    <OnDemand load={loadPopover} floating={(trigger) => <NotificationsPopover trigger={trigger} />}>
      {(handlers) => (
        <Button
          variant="ghost"
          iconOnly
          aria-label={t('notifications.title')}
          aria-haspopup="dialog"
          {...handlers}
        >
          <Bell className="icon" aria-hidden="true" />
        </Button>
      )}
    </OnDemand>
  );
}
