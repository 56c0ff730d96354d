// The newest notifications, which are marked as read once they are visible here.
import { useInfiniteQuery } from '@tanstack/react-query';
import { notificationsQuery } from '@/api/queries';
import type { Notification } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { ErrorPanel } from '@/ui/error-panel';
import { useSeen } from './mark-as-read';
import { NotificationRow, NotificationSkeletons } from './notification-row';

const distances = 'px-4 py-2.5';

export function LatestNotifications({ onFollow }: { onFollow: () => void }) {
  const { t } = useTranslation('notifications');
  const { data, isPending, refetch } = useInfiniteQuery(notificationsQuery);
  const [page] = data?.pages ?? [];
  if (isPending) return <NotificationSkeletons count={3} className={distances} />;
  if (!page || (page.items.length === 0 && page.degraded))
    return (
      <div className="px-4 pb-4">
        <ErrorPanel onRetry={() => void refetch()}>{t('failed')}</ErrorPanel>
      </div>
    );
  if (page.items.length === 0) return <p className="px-4 pb-5 text-ui text-muted-foreground">{t('empty')}</p>;
  return <Rows notifications={page.items} onFollow={onFollow} />;
}

function Rows({ notifications, onFollow }: { notifications: Notification[]; onFollow: () => void }) {
  const isNew = useSeen(notifications);
  return (
    <ul className="pb-2">
      {notifications.map((notification) => (
        <li key={notification.id}>
          <NotificationRow
            notification={notification}
            isNew={isNew(notification)}
            onFollow={onFollow}
            className={distances}
          />
        </li>
      ))}
    </ul>
  );
}
