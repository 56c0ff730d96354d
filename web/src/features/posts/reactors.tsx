// A button with the number of reactions, which opens the list of the members who reacted.
import type { ReactNode } from 'react';
import { lazy } from '@/ui/lazy';
import { useOpening } from '@/ui/use-opening';
import type { ReactorsQuery } from './reactors-dialog';

const ReactorsDialog = lazy(async () => (await import('./reactors-dialog')).ReactorsDialog);

interface ReactorsProps {
  query: ReactorsQuery;
  className?: string;
  children: ReactNode;
}

export function Reactors({ query, className, children }: ReactorsProps) {
  const opening = useOpening();
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className={className}
        onPointerEnter={() => void ReactorsDialog.load()}
        onFocus={() => void ReactorsDialog.load()}
        onClick={opening.open}
      >
        {children}
      </button>
      {opening.nr > 0 && (
        <ReactorsDialog key={opening.nr} query={query} open={opening.isOpen} onClose={opening.close} />
      )}
    </>
  );
}
