// Confirms the deletion of an own message.
import type { Message } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { attachedTo } from './draft-files';
import { useDeleteMessage } from './message-mutations';

interface DeleteMessageDialogProps {
  message: Message;
  open: boolean;
  onClose: () => void;
}

export function DeleteMessageDialog({ message, open, onClose }: DeleteMessageDialogProps) {
  const { t } = useTranslation('messages');
  const remove = useDeleteMessage(message);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      destructive
      title={t('deleteMessage')}
      text={t(attachedTo(message) ? 'deleteAttachedText' : 'deleteMessageText')}
      action={t('delete')}
      busy={remove.isPending}
      busyLabel={t('deleting')}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
    />
  );
}
