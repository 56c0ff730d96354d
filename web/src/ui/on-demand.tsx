// A button with a floating part that loads on first use, to keep the page small.
import { createContext, type KeyboardEvent, type ReactElement, useState } from 'react';
import type { ButtonProps } from './button';
import { whenLoaded } from './lazy';

interface OnDemandProps {
  /** Loads the code of the floating part: `load` of a lazy component. */
  load: () => Promise<unknown>;
  /** ArrowUp and ArrowDown open it as well: menus and lists. */
  byArrow?: boolean;
  /** The lazy floating part around its button. */
  floating: (trigger: ReactElement) => ReactElement;
  /** The button, given the handlers that load and open the floating part. */
  children: (handlers: Partial<ButtonProps>) => ReactElement;
}

/** Whether the floating part was first opened by a key. */
export const OpenedByKey = createContext(false);

/** Hover and focus load the code; the first click opens it and replaces the button by the real trigger. */
export function OnDemand({ load, byArrow, floating, children }: OnDemandProps) {
  const [opened, setOpened] = useState<'by key' | 'by pointer' | null>(null);
  const open = (how: 'by key' | 'by pointer') => whenLoaded(load, () => setOpened(how));
  // A failure is repeated by the click.
  const preload = () => void load().catch(() => undefined);
  const plain = children({
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    // A click by keyboard.
    onClick: ({ detail }) => open(detail === 0 ? 'by key' : 'by pointer'),
    ...(byArrow && {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        open('by key');
      },
    }),
  });
  if (!opened) return plain;
  return <OpenedByKey value={opened === 'by key'}>{floating(children({}))}</OpenedByKey>;
}
