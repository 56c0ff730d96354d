// Opening a dialog whose code comes when it is first wanted, with a fresh form each time.
import { useState } from 'react';

interface Opening {
  /** How often it was opened: nothing is mounted at 0, and as a key each number is another form. */
  nr: number;
  /** False while it closes: it stays mounted so that closing can be seen. */
  isOpen: boolean;
  open: () => void;
  close: () => void;
}

export function useOpening(): Opening {
  const [state, setState] = useState({ nr: 0, isOpen: false });
  return {
    ...state,
    open: () => setState(({ nr }) => ({ nr: nr + 1, isOpen: true })),
    close: () => setState(({ nr }) => ({ nr, isOpen: false })),
  };
}
