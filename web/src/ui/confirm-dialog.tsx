// A confirmation before an action that is hard to undo: Cancel, or the action by its name.
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from './button';
import { Dialog } from './dialog';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The consequences of the action. */
  text: string;
  /** The label of the action button. */
  action: string;
  /** The label of the button that keeps everything as it is; by default Cancel. */
  cancel?: string;
  /** The action cannot be undone. */
  destructive?: boolean;
  busy?: boolean;
  busyLabel?: string;
  /** The Cancel button; by default it closes the dialog as Escape does. */
  onCancel?: () => void;
  onConfirm: () => void;
  /** Fields below the text. */
  children?: ReactNode;
}

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  text,
  action,
  cancel,
  destructive,
  busy,
  busyLabel,
  onCancel = () => onOpenChange(false),
  onConfirm,
  children,
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
          <Button variant="ghost" className="ml-auto" onClick={onCancel}>
            {cancel ?? t('cancel')}
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
      <div className={children ? 'space-y-4 pb-1' : undefined}>
        <p className="text-body text-pretty wrap-anywhere" aria-hidden="true">
          {text}
        </p>
        {children}
      </div>
    </Dialog>
  );
}
