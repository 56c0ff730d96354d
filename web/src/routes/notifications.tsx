// All notifications of the member, page by page.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Bell, Settings } from 'lucide-react';
import { Link } from 'react-router';
import { itemsOf } from '@/api/pages';
import { notificationsQuery } from '@/api/queries';
import { MarkAll } from '@/features/notifications/mark-all';
import { NotificationRow, NotificationSkeletons } from '@/features/notifications/notification-row';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { EmptyCard } from '@/ui/empty';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { PagedCard } from '@/ui/paged-list';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';

const distances = 'px-4 py-3.5 md:px-5';

export function Component() {
  const { t } = useTranslation('notifications');
  const query = useInfiniteQuery(notificationsQuery);
  return (
    <Page width="reading">
      <PageMeta page="notifications" />
      <PageHeading
        title={t('title')}
        action={
          <div className="flex shrink-0 items-center gap-1">
            <MarkAll shown={itemsOf(query.data)} />
            <TooltipGroup>
              <Tooltip label={t('choose')}>
                <Link
                  to={paths.notificationSettings}
                  state={{ focusField: true }}
                  aria-label={t('choose')}
                  className={buttonClass({ variant: 'ghost', iconOnly: true, className: '-mr-2' })}
                >
                  <Settings className="icon" />
                </Link>
              </Tooltip>
            </TooltipGroup>
          </div>
        }
      />
      <PagedCard
        query={query}
        skeleton={
          <Card>
            <NotificationSkeletons count={5} divided className={distances} />
          </Card>
        }
        failed={t('failed')}
        more={t('more')}
        empty={<EmptyCard icon={Bell} title={t('empty')} hint={t('emptyHint')} />}
        label={t('title')}
      >
        {(notification) => (
          <li key={notification.id}>
            <NotificationRow notification={notification} isNew={!notification.isRead} className={distances} />
          </li>
        )}
      </PagedCard>
    </Page>
  );
}
