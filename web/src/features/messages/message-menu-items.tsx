// The open menu of a message: a row of reactions, then the actions.
import { Copy, Flag, Pencil, Reply, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { messageReactionKinds } from '@/api/messages';
import type { Message } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { copyText } from '@/ui/copy-text';
import { ActionItem, Menu, MenuToggle } from '@/ui/menu';
import { attachedTo } from './draft-files';
import { useIsChangeable, useReact } from './message-mutations';
import { emojiOf } from './reaction-emoji';
import { useThread } from './thread-context';

interface MessageMenuItemsProps {
  message: Message;
  own: boolean;
  trigger: ReactElement;
  onReply: () => void;
  onEdit: () => void;
  onDelete: () => void;
  onReport: () => void;
}

export function MessageMenuItems({ message, own, trigger, ...actions }: MessageMenuItemsProps) {
  const { t } = useTranslation('messages');
  const { me, canWrite } = useThread();
  const react = useReact(message, me.id);
  /** On a touch screen, a long press would select a word of the text only. */
  const copy = () =>
    copyText(
      message.content,
      { title: t('textCopied') },
      { title: t('notCopied'), description: t('notCopiedText'), variant: 'info' },
    );
  const isChangeable = useIsChangeable(message) && own;
  // Files use the space of the member, so that their message is deleted at any time.
  const isDeletable = isChangeable || (own && attachedTo(message) !== null);
  const mine = (message.reactions ?? []).filter(({ userIds }) => userIds.includes(me.id));
  const myKinds = mine.map(({ kind }) => kind);
  return (
    <Menu trigger={trigger} align={own ? 'end' : 'start'} defaultOpen className="max-w-80 min-w-52">
      <div className="mb-1 flex gap-0.5 border-b pb-1">
        {messageReactionKinds.map((kind) => (
          <MenuToggle
            key={kind}
            label={t(`reaction.${kind}`)}
            checked={myKinds.includes(kind)}
            onChange={(on) => react.mutate({ kind, on })}
          >
            <span aria-hidden="true" className="text-lg">
              {emojiOf[kind]}
            </span>
          </MenuToggle>
        ))}
      </div>
      {canWrite && (
        <ActionItem icon={Reply} act={actions.onReply}>
          {t('reply')}
        </ActionItem>
      )}
      {message.content && (
        <ActionItem icon={Copy} act={copy}>
          {t('copyText')}
        </ActionItem>
      )}
      {isChangeable && canWrite && (
        <ActionItem icon={Pencil} act={actions.onEdit}>
          {t('editMessage')}
        </ActionItem>
      )}
      {isDeletable && (
        <ActionItem icon={Trash2} act={actions.onDelete}>
          {t('deleteMessage')}
        </ActionItem>
      )}
      {!own && (
        <ActionItem icon={Flag} act={actions.onReport}>
          {t('reportMessage')}
        </ActionItem>
      )}
    </Menu>
  );
}
