// The menu of a thread: mute it, delete it, or block the other member, each with a confirmation.
import { Ban, BellOff, BellRing, Trash2 } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import type { Conversation, ConversationFolder, OtherUser, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Menu } from '@/ui/menu';
import { type ConversationAction, useConversationDialogs } from './conversation-dialogs';
import { useMute } from './mutations';
import { ThreadMenuItem } from './thread-menu-item';

interface ThreadMenuProps {
  conversation: Conversation;
  other: OtherUser;
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
        <ThreadMenuItem icon={isMuted ? BellRing : BellOff} onSelect={() => mute.mutate(!isMuted)}>
          {t(isMuted ? 'unmute' : 'mute')}
        </ThreadMenuItem>
        <ThreadMenuItem icon={Trash2} onSelect={choose('delete')}>
          {t('deleteConversation')}
        </ThreadMenuItem>
        {props.other.id && (
          <ThreadMenuItem icon={Ban} onSelect={choose('block')}>
            {t('network:block', { name: props.other.fullName })}
          </ThreadMenuItem>
        )}
      </Menu>
      {dialogs}
    </>
  );
}
