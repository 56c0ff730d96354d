// A button with the number of reactions, which opens the list of the members who reacted.
import { lazy, type ReactNode, Suspense } from 'react';
import { useOpening } from '@/ui/use-opening';
import type { ReactorsQuery } from './reactors-dialog';

const load = () => import('./reactors-dialog');
const ReactorsDialog = lazy(async () => ({ default: (await load()).ReactorsDialog }));

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
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={opening.open}
      >
        {children}
      </button>
      {opening.nr > 0 && (
        <Suspense>
          <ReactorsDialog key={opening.nr} query={query} open={opening.isOpen} onClose={opening.close} />
        </Suspense>
      )}
    </>
  );
}
