// A notification: sentence and time, with a gold dot while it is new, linked to its target.
import { useQueryClient } from '@tanstack/react-query';
import { Briefcase, ShieldCheck } from 'lucide-react';
import { Link } from 'react-router';
import type { Notification } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { RelativeTime } from '@/ui/relative-time';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import { destination } from './destination';
import { kindOf } from './kinds';
import { useMarkRead } from './mark-as-read';
import { Sentence } from './sentence';

interface NotificationRowProps {
  notification: Notification;
  /** Whether it has the dot. */
  isNew: boolean;
  /** Called when the member follows it, or views one without a destination. */
  onFollow?: () => void;
  /** Spacing as in the list. */
  className?: string;
}

const icons = { job: Briefcase, account: ShieldCheck };

const row = 'flex items-start gap-3 text-left';

export function NotificationRow({ notification, isNew, onFollow, className = '' }: NotificationRowProps) {
  const { t } = useTranslation('notifications');
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const markRead = useMarkRead();
  const to = destination(notification, user?.id ?? '');
  const latest = notification.actors[0] ?? { id: null, fullName: t('formerMember') };
  const icon = kindOf(notification)?.icon;
  const Icon = icon && icons[icon];
  const face = (
    <>
      {Icon ? (
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-muted text-gold-text">
          <Icon className="icon" />
        </span>
      ) : (
        <Avatar user={latest} size={40} decorative />
      )}
      <span className="min-w-0 flex-1 text-ui wrap-anywhere">
        {isNew && <span className="sr-only">{t('unread')} </span>}
        <Sentence of={notification} />
        <RelativeTime
          at={notification.createdAt}
          className="block text-micro leading-5 text-muted-foreground"
        />
      </span>
      {isNew && <span className="mt-1.5 size-2 shrink-0 rounded-full bg-gold" aria-hidden="true" />}
    </>
  );
  if (!to) return <div className={`${row} ${className}`}>{face}</div>;
  return (
    <Link
      to={to.path}
      state={to.takesFocus ? { focusField: true } : undefined}
      className={`${row} -outline-offset-2 hover:bg-hover ${className}`}
      onClick={() => {
        for (const queryKey of to.changed) void queryClient.invalidateQueries({ queryKey });
        if (!notification.isRead) markRead.mutate({ id: notification.id });
        onFollow?.();
      }}
    >
      {face}
    </Link>
  );
}

interface NotificationSkeletonsProps {
  count: number;
  /** With lines between the rows, as in the list. */
  divided?: boolean;
  className?: string;
}

export function NotificationSkeletons({ count, divided, className = '' }: NotificationSkeletonsProps) {
  return (
    <LoadingRows count={count} className={divided ? 'divide-y' : ''} row={`${row} ${className}`}>
      <Skeleton className="size-10 shrink-0 rounded-full!" />
      <Bars className="flex-1 space-y-2 py-1" of={['h-3.5 w-[85%]', 'h-3 w-24']} />
    </LoadingRows>
  );
}
