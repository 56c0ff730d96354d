// The dialog that is one form: Cancel and the submit button are below its fields.
import { type FormEvent, useId } from 'react';
import { FormButtons } from './form-buttons';
import { FormDialog, type FormDialogProps } from './form-dialog';

interface SubmitDialogProps extends Omit<FormDialogProps, 'footer'> {
  busy: boolean;
  /** The label of the submit button. */
  send: string;
  /** Replaces `send` while the request is running. */
  sending: string;
  onSubmit: (event: FormEvent) => void;
  /** The classes of the form. */
  className?: string;
}

export function SubmitDialog({ send, sending, onSubmit, className, children, ...dialog }: SubmitDialogProps) {
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(event);
  };
  return (
    <FormDialog
      {...dialog}
      footer={<FormButtons form={form} send={send} sending={sending} busy={dialog.busy} />}
    >
      <form id={form} noValidate onSubmit={submit} className={className}>
        {children}
      </form>
    </FormDialog>
  );
}
