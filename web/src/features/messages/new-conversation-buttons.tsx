// The buttons above the list that open 'New message' and 'New group', whose code loads on first use.
import { SquarePen, UsersRound } from 'lucide-react';
import type { User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { useStartRequest } from '@/ui/start-request';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { useOpening } from '@/ui/use-opening';

const NewGroupDialog = lazy(async () => (await import('./new-group-dialog')).NewGroupDialog);
const NewMessageDialog = lazy(async () => (await import('./new-message-dialog')).NewMessageDialog);

export function NewConversationButtons({ me }: { me: User }) {
  const { t } = useTranslation('messages');
  const group = useOpening();
  const message = useOpening();
  useStartRequest('group', group.open);
  return (
    <div className="-mr-2 ml-auto flex items-center">
      <Button variant="ghost" size="sm" aria-haspopup="dialog" onClick={group.open}>
        <UsersRound className="icon-sm" aria-hidden="true" />
        {t('newGroup')}
      </Button>
      <TooltipGroup>
        <Tooltip label={t('newMessage')}>
          <Button
            variant="ghost"
            size="sm"
            iconOnly
            aria-label={t('newMessage')}
            aria-haspopup="dialog"
            onClick={message.open}
          >
            <SquarePen className="icon-sm" aria-hidden="true" />
          </Button>
        </Tooltip>
      </TooltipGroup>
      {group.nr > 0 && <NewGroupDialog key={group.nr} me={me} open={group.isOpen} onClose={group.close} />}
      {message.nr > 0 && (
        <NewMessageDialog key={message.nr} me={me} open={message.isOpen} onClose={message.close} />
      )}
    </div>
  );
}
