// The name of an icon button on hover and focus; its code comes when a pointer or a key is first used.
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { deferred } from './deferred';
import { afterPointerRelease } from './pointer-release';

export const tooltips = deferred(
  () => import('./tooltip-parts'),
  (draw) => afterPointerRelease(() => keepFocus(draw)),
);

/** The focused element can be rendered again in place: keyboard users keep their position. */
function keepFocus(draw: () => void) {
  const focused = document.activeElement;
  const way: number[] = [];
  for (let at = focused; at?.parentElement; at = at.parentElement)
    way.unshift([...at.parentElement.children].indexOf(at));
  flushSync(draw);
  if (!focused || focused.isConnected) return;
  const there = way.reduce<Element | undefined>((at, n) => at?.children[n], document.documentElement);
  if (there instanceof HTMLElement) there.focus({ preventScroll: true });
}

/** Around a group of tooltips: moving from one to the next skips the delay. The group is drawn anew once, when the code arrives. */
export function TooltipGroup({ children }: { children: ReactNode }) {
  const parts = tooltips.use();
  if (!parts) return children;
  return <parts.TooltipProvider>{children}</parts.TooltipProvider>;
}

export interface TooltipProps {
  label: ReactNode;
  /** For instance `lg:hidden`, where the words stand beside the icon. */
  className?: string;
  children: ReactNode;
}

/** Inside a `TooltipGroup`, around one focusable element, which keeps its own `aria-label`: a tooltip is no name. */
export function Tooltip({ label, className, children }: TooltipProps) {
  const parts = tooltips.use();
  if (!parts) return children;
  return (
    <parts.TooltipAround label={label} className={className}>
      {children}
    </parts.TooltipAround>
  );
}
