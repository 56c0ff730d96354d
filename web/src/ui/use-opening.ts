// Opens a dialog that loads on first use, with a new form each time.
import { useState } from 'react';
import { catchTyping } from './type-ahead';

interface Opening {
  /** The number of openings: 0 mounts nothing, and as a key each number is a new form. */
  nr: number;
  /** False while it closes: it stays mounted for the closing animation. */
  isOpen: boolean;
  open: () => void;
  close: () => void;
}

export function useOpening(): Opening {
  const [state, setState] = useState({ nr: 0, isOpen: false });
  const close = () => setState(({ nr }) => ({ nr, isOpen: false }));
  return {
    ...state,
    open: () => {
      catchTyping(close);
      setState(({ nr }) => ({ nr: nr + 1, isOpen: true }));
    },
    close,
  };
}
