// A button with the number of reactions, which opens the list of the members who reacted.
import type { ReactNode } from 'react';
import { lazy } from '@/ui/lazy';
import { useDialog } from '@/ui/use-dialog';
import type { ReactorsQuery } from './reactors-dialog';

const ReactorsDialog = lazy(async () => (await import('./reactors-dialog')).ReactorsDialog);

interface ReactorsProps {
  query: ReactorsQuery;
  className?: string;
  children: ReactNode;
}

export function Reactors({ query, className, children }: ReactorsProps) {
  const list = useDialog(ReactorsDialog, { query });
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className={className}
        onPointerEnter={() => void ReactorsDialog.load()}
        onFocus={() => void ReactorsDialog.load()}
        onClick={list.open}
      >
        {children}
      </button>
      {list.dialog}
    </>
  );
}
