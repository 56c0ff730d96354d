// A button whose floating part arrives when it is first wanted, so that the page stays light.
import { createContext, type KeyboardEvent, type ReactElement, Suspense, useState } from 'react';
import type { ButtonProps } from './button';

interface OnDemandProps {
  /** Fetches the code of the floating part. */
  load: () => Promise<unknown>;
  /** An arrow up or down opens it as well: menus and lists. */
  byArrow?: boolean;
  /** The floating part, lazy, around its button. */
  floating: (trigger: ReactElement) => ReactElement;
  /** The button, given the handlers that fetch and open the floating part. */
  children: (handlers: Partial<ButtonProps>) => ReactElement;
}

/** Whether the floating part was first opened by a key. */
export const OpenedByKey = createContext(false);

/** Hover and focus fetch the code; the first click opens it. From then on the real trigger stands in its place. */
export function OnDemand({ load, byArrow, floating, children }: OnDemandProps) {
  const [wanted, setWanted] = useState<'by key' | 'by pointer' | null>(null);
  const plain = children({
    'aria-expanded': false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    // A click without a press of the pointer.
    onClick: ({ detail }) => setWanted(detail === 0 ? 'by key' : 'by pointer'),
    ...(byArrow && {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        setWanted('by key');
      },
    }),
  });
  if (!wanted) return plain;
  return (
    <OpenedByKey value={wanted === 'by key'}>
      <Suspense fallback={plain}>{floating(children({}))}</Suspense>
    </OpenedByKey>
  );
}
