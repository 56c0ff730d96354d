// The menu beside a message: reactions, reply, edit and delete of an own message, report of another member's.
import { Ellipsis } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Message } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { OnDemand } from '@/ui/on-demand';
import { useThread } from './thread-context';

const loadMenu = () => import('./message-menu-items');
const MessageMenuItems = lazy(async () => ({ default: (await loadMenu()).MessageMenuItems }));
const ReportDialog = lazy(async () => ({
  default: (await import('@/features/reports/report-dialog')).ReportDialog,
}));
const DeleteMessageDialog = lazy(async () => ({
  default: (await import('./delete-message-dialog')).DeleteMessageDialog,
}));

type MessageDialog = 'report' | 'delete';

/** Visible with hover or focus on the row, and always on touch screens. Needs the texts of `messages`. */
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
      <OnDemand
        load={loadMenu}
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
      >
        {(handlers) => (
          <Button
            variant="ghost"
            size="sm"
            iconOnly
            className="self-center pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 pointer-fine:focus-visible:opacity-100 pointer-fine:aria-expanded:opacity-100"
            aria-label={t('messageOptions')}
            aria-haspopup="menu"
            {...handlers}
          >
            <Ellipsis className="icon" aria-hidden="true" />
          </Button>
        )}
      </OnDemand>
      <Suspense>
        {asked === 'report' && (
          <ReportDialog subject={open ? { kind: 'message', id: message.id } : null} onClose={close} />
        )}
        {asked === 'delete' && <DeleteMessageDialog message={message} open={open} onClose={close} />}
      </Suspense>
    </>
  );
}
