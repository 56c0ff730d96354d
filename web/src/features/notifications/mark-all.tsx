// Marks all notifications as read.
import { useQuery } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { unreadQuery } from '@/api/queries';
import type { Notification } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { showError } from '@/ui/toast';
import { useMarkRead } from './mark-as-read';

/** Stays mounted without unread notifications, so that the focus stays. */
export function MarkAll({ shown }: { shown: Notification[] }) {
  const { t } = useTranslation('notifications');
  const unread = useQuery(unreadQuery).data?.notifications ?? 0;
  const markRead = useMarkRead();
  const upTo = shown[0]?.createdAt;
  if (!upTo) return null;
  const idle = unread === 0 && shown.every(({ isRead }) => isRead);
  const mark = () => {
    if (idle || markRead.isPending) return;
    markRead.mutate(
      { upTo },
      {
        onError: ({ message }) => showError(t('markFailed', { message })),
      },
    );
  };
  return (
    <Button
      variant="outline"
      className="max-sm:w-9 max-sm:px-0"
      aria-label={t('markAll')}
      aria-disabled={idle}
      onClick={mark}
    >
      <CheckCheck className="icon-sm" />
      <span className="max-sm:hidden">{t('markAll')}</span>
    </Button>
  );
}
