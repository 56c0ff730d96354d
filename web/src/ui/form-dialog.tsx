// The dialog of a form: it asks before it discards changed input, on every way out but Cancel.
import { createContext, type MouseEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog, type DialogProps } from './dialog';
import { DiscardQuestion } from './discard-question';
import { useUnsavedChanges } from './unsaved-changes';

export interface FormDialogProps extends Omit<DialogProps, 'onOpenChange'> {
  /** Closing would discard input of the member. */
  dirty: boolean;
  /** The form is being sent: the dialog stays open. */
  busy?: boolean;
  /** Closes the dialog and discards its input. */
  onClose: () => void;
  /** Replaces the question. */
  question?: { title: string; text: string; action: string };
}

/** Closes the form around it without a question, for Cancel (specification, section 4). */
export const Discard = createContext<() => void>(() => undefined);

export function FormDialog({ dirty, busy, onClose, question, children, ...rest }: FormDialogProps) {
  const navigate = useNavigate();
  /** Where the member goes after discarding; null while nothing is asked. */
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const unsaved = rest.open && dirty;
  const ask = (after: () => void) => setLeave(() => after);
  useUnsavedChanges(unsaved, ask);

  const close = () => {
    if (busy) return;
    if (dirty) ask(() => undefined);
    else onClose();
  };
  const discard = () => {
    setLeave(null);
    onClose();
    leave?.();
  };
  /** A link in the form leaves the screen. */
  const onLink = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!unsaved || !link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { pathname, search, hash } = link;
    ask(() => void navigate({ pathname, search, hash }));
  };

  return (
    <Discard value={onClose}>
      <Dialog onOpenChange={close} {...rest}>
        <div className="contents" onClickCapture={onLink}>
          {children}
        </div>
      </Dialog>
      <DiscardQuestion
        open={unsaved && leave !== null}
        onKeep={() => setLeave(null)}
        onDiscard={discard}
        question={question}
      />
    </Discard>
  );
}
