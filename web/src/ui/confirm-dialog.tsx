// A question before something that cannot simply be taken back: Cancel, or the act by its name.
import { useTranslation } from '@/i18n/use-translation';
import { Button } from './button';
import { Dialog } from './dialog';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What follows from it. */
  text: string;
  /** The act, as its button names it. */
  action: string;
  /** It cannot be taken back at all. */
  destructive?: boolean;
  busy?: boolean;
  busyLabel?: string;
  onConfirm: () => void;
}

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  text,
  action,
  destructive,
  busy,
  busyLabel,
  onConfirm,
}: ConfirmDialogProps) {
  const { t } = useTranslation('shell');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={text}
      footer={
        <>
          <Button variant="ghost" className="ml-auto" onClick={() => onOpenChange(false)}>
            {t('cancel')}
          </Button>
          <Button
            variant={destructive ? 'destructive' : 'primary'}
            busy={busy}
            busyLabel={busyLabel}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    >
      <p className="text-body text-pretty wrap-anywhere" aria-hidden="true">
        {text}
      </p>
    </Dialog>
  );
}
