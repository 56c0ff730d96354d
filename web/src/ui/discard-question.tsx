// Asks before changed input of a form is discarded.
import { useTranslation } from '@/i18n/use-translation';
import { ConfirmDialog } from './confirm-dialog';
import './unsaved-texts';

interface DiscardQuestionProps {
  open: boolean;
  onKeep: () => void;
  onDiscard: () => void;
  /** Replaces the texts. */
  question?: { title: string; text: string; action: string };
}

export function DiscardQuestion({ open, onKeep, onDiscard, question }: DiscardQuestionProps) {
  const { t } = useTranslation('unsaved');
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onKeep}
      title={question?.title ?? t('title')}
      text={question?.text ?? t('text')}
      action={question?.action ?? t('discard')}
      cancel={t('keep')}
      destructive
      onConfirm={onDiscard}
    />
  );
}
