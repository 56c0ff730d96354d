// The notifications button in the header, with a gold dot while there are unread notifications.
import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';

import { unreadQuery } from '@/api/queries';
import { loadTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { OnDemand } from '@/ui/on-demand';

const NotificationsPopover = lazy(async () => {
  const [{ NotificationsPopover }] = await Promise.all([
    import('./notifications-popover'),
    loadTexts('notifications'),
  ]);
  return NotificationsPopover;
});

/** Needs the texts of `member`. */
export function NotificationsButton() {
  const { t } = useTranslation('member');
  const unread = useQuery(unreadQuery).data?.notifications ?? 0;
  return (
    <OnDemand
      load={NotificationsPopover.load}
      floating={(trigger) => <NotificationsPopover trigger={trigger} />}
    >
      {(handlers) => (
        <Button
          variant="ghost"
          iconOnly
          aria-label={unread > 0 ? t('unreadNotifications', { count: unread }) : t('notifications')}
          aria-haspopup="dialog"
          {...handlers}
        >
          <Bell className="icon" aria-hidden="true" />
          {unread > 0 && (
            <span
              className="absolute top-1.5 right-2 size-2 rounded-full bg-gold ring-2 ring-card"
              aria-hidden="true"
            />
          )}
        </Button>
      )}
    </OnDemand>
  );
}
