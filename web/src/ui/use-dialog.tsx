// A dialog that is drawn from its first opening on, with a new form each time.
import type { ComponentType, ReactNode } from 'react';
import { useOpening } from './use-opening';

interface Opened {
  open: boolean;
  onClose: () => void;
}

/** Returns `open()` and the element of the dialog, which can be rendered anywhere on the screen. */
export function useDialog<Props extends Opened>(
  Dialog: ComponentType<Props>,
  props: Omit<Props, keyof Opened>,
): { open: () => void; dialog: ReactNode } {
  const { nr, isOpen, open, close } = useOpening();
  const all = { ...props, open: isOpen, onClose: close } as Props;
  return { open, dialog: nr > 0 && <Dialog key={nr} {...all} /> };
}
