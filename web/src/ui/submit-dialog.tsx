// The dialog that is one form: Cancel and the submit button are below its fields.
import { type FormEvent, useId } from 'react';
import { flushSync } from 'react-dom';
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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    flushSync(() => onSubmit(event));
    focusRefused(event.currentTarget);
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

/** Focuses the first refused field, which with its message may be outside the visible part of the dialog. */
function focusRefused(form: HTMLFormElement): void {
  const refused = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  (refused?.querySelector('input') ?? refused)?.focus();
}
