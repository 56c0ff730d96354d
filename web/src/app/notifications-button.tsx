// The bell in the header.
import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { OnDemand } from './on-demand';

const loadPopover = () => import('./notifications-popover');

export function NotificationsButton() {
  const { t } = useTranslation('shell');
  return (
    <OnDemand load={loadPopover}>
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
