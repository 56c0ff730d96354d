// The menu beside a message: reactions, reply, edit and delete of an own message, report of another member's.
import { useState } from 'react';
import type { Message } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { lazy } from '@/ui/lazy';
import { MoreButton } from '@/ui/more-menu';
import { useThread } from './thread-context';

const MessageMenuItems = lazy(async () => (await import('./message-menu-items')).MessageMenuItems);
const ReportDialog = lazy(async () => (await import('@/features/reports/report-dialog')).ReportDialog);
const DeleteMessageDialog = lazy(async () => (await import('./delete-message-dialog')).DeleteMessageDialog);

type MessageDialog = 'report' | 'delete';

/** Visible with hover or focus on the row, and always on touch screens. */
export function MessageMenu({ message, own }: { message: Message; own: boolean }) {
  const { t } = useTranslation('messages');
  const { reply, edit } = useThread();
  // Stay mounted once opened, for the closing animation.
  const [asked, setAsked] = useState<MessageDialog | null>(null);
  const [open, setOpen] = useState(false);
  const ask = (what: MessageDialog) => () => {
    setAsked(what);
    setOpen(true);
  };
  const close = () => setOpen(false);
  return (
    <>
      <MoreButton
        size="sm"
        className="self-center pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 pointer-fine:focus-visible:opacity-100 pointer-fine:aria-expanded:opacity-100"
        label={t('messageOptions')}
        load={MessageMenuItems.load}
        byArrow
        floating={(trigger) => (
          <MessageMenuItems
            message={message}
            own={own}
            trigger={trigger}
            onReply={() => reply(message)}
            onEdit={() => edit(message)}
            onDelete={ask('delete')}
            onReport={ask('report')}
          />
        )}
      />
      {asked === 'report' && (
        <ReportDialog subject={open ? { kind: 'message', id: message.id } : null} onClose={close} />
      )}
      {asked === 'delete' && <DeleteMessageDialog message={message} open={open} onClose={close} />}
    </>
  );
}
