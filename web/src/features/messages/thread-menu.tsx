// The menu of a thread: mute it, delete it, or block the other member, each with a confirmation.
import { Ban, BellOff, BellRing, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Conversation, ConversationFolder, OtherUser, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { ActionItem, Menu } from '@/ui/menu';
import { useConversationDialogs } from './conversation-dialogs';
import { useMute } from './mutations';

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
  return (
    <>
      <Menu trigger={trigger} defaultOpen className="max-w-80 min-w-52">
        <ActionItem icon={isMuted ? BellRing : BellOff} onSelect={() => mute.mutate(!isMuted)}>
          {t(isMuted ? 'unmute' : 'mute')}
        </ActionItem>
        <ActionItem icon={Trash2} act={() => ask('delete')}>
          {t('deleteConversation')}
        </ActionItem>
        {props.other.id && (
          <ActionItem icon={Ban} act={() => ask('block')}>
            {t('network:block', { name: props.other.fullName })}
          </ActionItem>
        )}
      </Menu>
      {dialogs}
    </>
  );
}
