// Clearing a conversation and blocking the other member, each with a confirmation.
import { useState } from 'react';
import type { Author, Conversation, ConversationFolder, OtherUser, User } from '@/api/schema.gen';
import { useBlock } from '@/features/network/block-mutations';
import { useTranslation } from '@/i18n/use-translation';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useClear, useLeave } from './mutations';

export type ConversationAction = 'delete' | 'block';

interface ConversationDialogsProps {
  conversation: Conversation;
  /** With the displayed name. */
  other: OtherUser;
  me: User;
  folder: ConversationFolder;
}

/** Needs the texts of `messages` and of `network`. */
export function useConversationDialogs({ conversation, other, me, folder }: ConversationDialogsProps) {
  const { t } = useTranslation(['messages', 'network']);
  const [asked, setAsked] = useState<ConversationAction | null>(null);
  const clear = useClear(conversation.id, folder);
  const block = useBlock(me);
  const leave = useLeave(folder);
  const name = other.fullName;
  const dialog = (action: ConversationAction) => ({
    open: asked === action,
    onOpenChange: () => setAsked(null),
    destructive: true,
  });
  const dialogs = (
    <>
      <ConfirmDialog
        {...dialog('delete')}
        title={t('deleteConversation')}
        text={t('deleteText', { name })}
        action={t('delete')}
        busy={clear.isPending}
        busyLabel={t('deleting')}
        onConfirm={() => clear.mutate(undefined, { onError: () => setAsked(null) })}
      />
      <ConfirmDialog
        {...dialog('block')}
        title={t('network:block', { name })}
        text={t('network:blockAbout', { name })}
        action={t('network:blockAction')}
        busy={block.isPending}
        busyLabel={t('network:blocking')}
        onConfirm={() => block.mutate(other as Author, { onSuccess: leave, onError: () => setAsked(null) })}
      />
    </>
  );
  return { ask: setAsked, dialogs };
}
