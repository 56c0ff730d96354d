// The menu of a thread: mute it, delete it, or block the other member, each with a confirmation.
import { Ban, BellOff, BellRing, type LucideIcon, Trash2 } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import type { Conversation, ConversationFolder, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Menu, MenuItem } from '@/ui/menu';
import { type ConversationAction, useConversationDialogs } from './conversation-dialogs';
import { useMute } from './mutations';

interface ThreadMenuProps {
  conversation: Conversation;
  other: Conversation['otherUser'];
  me: User;
  folder: ConversationFolder;
  trigger: ReactElement;
}

export function ThreadMenu({ trigger, ...props }: ThreadMenuProps) {
  const { t } = useTranslation(['messages', 'network']);
  const { ask, dialogs } = useConversationDialogs(props);
  const mute = useMute(props.conversation);
  const isMuted = props.conversation.muted;
  // The confirmation opens after the menu has closed and returned the focus to its button.
  const chosen = useRef<ConversationAction | null>(null);
  const choose = (ending: ConversationAction) => () => {
    chosen.current = ending;
  };
  return (
    <>
      <Menu
        trigger={trigger}
        defaultOpen
        className="max-w-80 min-w-52"
        onClosed={() => {
          ask(chosen.current);
          chosen.current = null;
        }}
      >
        <Item icon={isMuted ? BellRing : BellOff} onSelect={() => mute.mutate(!isMuted)}>
          {t(isMuted ? 'unmute' : 'mute')}
        </Item>
        <Item icon={Trash2} onSelect={choose('delete')}>
          {t('deleteConversation')}
        </Item>
        {props.other.id && (
          <Item icon={Ban} onSelect={choose('block')}>
            {t('network:block', { name: props.other.fullName })}
          </Item>
        )}
      </Menu>
      {dialogs}
    </>
  );
}

function Item({
  icon: Icon,
  onSelect,
  children,
}: {
  icon: LucideIcon;
  onSelect: () => void;
  children: string;
}) {
  return (
    <MenuItem onSelect={onSelect}>
      <Icon className="icon-sm text-muted-foreground" aria-hidden="true" />
      <span className="min-w-0 py-2 wrap-anywhere">{children}</span>
    </MenuItem>
  );
}
