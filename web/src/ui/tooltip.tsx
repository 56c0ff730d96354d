// The name of an icon button on hover and focus; its code loads at the first pointer or key.
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { deferred } from './deferral';

export const tooltips = deferred(
  () => import('./tooltip-parts'),
  (draw) => afterPointerRelease(() => keepFocus(draw)),
);

/** The focused element remounts in place: keyboard users keep their position. */
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

/** A group of tooltips: moving from one to the next skips the delay. The group remounts once, when the code loads. */
export function TooltipGroup({ children }: { children: ReactNode }) {
  const parts = tooltips.use();
  if (!parts) return children;
  return <parts.TooltipProvider>{children}</parts.TooltipProvider>;
}

export interface TooltipProps {
  label: ReactNode;
  /** For example `lg:hidden`, where the text is beside the icon. */
  className?: string;
  children: ReactNode;
}

/** Inside a `TooltipGroup`, around one focusable element with its own `aria-label`: a tooltip is not a name. */
export function Tooltip({ label, className, children }: TooltipProps) {
  const parts = tooltips.use();
  if (!parts) return children;
  return (
    <parts.TooltipAround label={label} className={className}>
      {children}
    </parts.TooltipAround>
  );
}

let held = false;
const waiting: (() => void)[] = [];

const press = () => {
  held = true;
};

/** The click follows the release within the same task. */
const release = () => {
  held = false;
  setTimeout(() => {
    if (!held) for (const act of waiting.splice(0)) act();
  });
};

for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, press, true);
for (const event of ['pointerup', 'pointercancel', 'keyup', 'blur'])
  window.addEventListener(event, release, true);

/** Runs `act` at once, or after the release of a pointer or key: an element rendered again before it loses the click. */
function afterPointerRelease(act: () => void) {
  if (held) waiting.push(act);
  else act();
}
