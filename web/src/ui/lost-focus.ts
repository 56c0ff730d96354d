// Where the focus was: elements that a redraw of React replaced, or that lost it.
import { flushSync } from 'react-dom';

const successors = new WeakMap<Element, Element>();

/** Runs `draw`, after which each replaced button and link is known by its successor, which takes over the focus. */
export function drawAgain(draw: () => void): void {
  const focused = document.activeElement;
  const places = [...document.querySelectorAll('button, a, [tabindex]')].map(
    (element) => [element, placeOf(element)] as const,
  );
  flushSync(draw);
  for (const [element, place] of places) {
    const there = element.isConnected ? undefined : elementAt(place);
    if (there) successors.set(element, there);
  }
  const there = presentElement(focused);
  if (there !== focused && there instanceof HTMLElement) there.focus({ preventScroll: true });
}

/** The element itself, or the one that replaced it; null if it is gone. */
export function presentElement(element: Element | null): Element | null {
  if (!element || element.isConnected) return element;
  return presentElement(successors.get(element) ?? null);
}

/** The index at each level from the root of the document. */
function placeOf(element: Element): number[] {
  const place: number[] = [];
  for (let at = element; at.parentElement; at = at.parentElement)
    place.unshift([...at.parentElement.children].indexOf(at));
  return place;
}

const elementAt = (place: number[]) =>
  place.reduce<Element | undefined>((at, index) => at?.children[index], document.documentElement);

/** The last elements that had the focus, the latest first. */
let recent: Element[] = [];
const remember = (element: EventTarget | null) => {
  if (element instanceof Element)
    recent = [element, ...recent.filter((known) => known !== element)].slice(0, 5);
};
remember(document.activeElement);
document.addEventListener('focusin', ({ target }) => remember(target));

/** The last element outside `dialog` that had the focus: a disabled button has lost it, and a field of the dialog may have it. */
export const focusedOutside = (dialog: Element): Element | null =>
  recent.find((element) => element !== document.body && !dialog.contains(element)) ?? null;

/** A button whose request has just ended is enabled a moment later. */
export function focusWhenEnabled(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  if (!element.matches(':disabled')) return;
  const observer = new MutationObserver(() => {
    observer.disconnect();
    if (document.activeElement === document.body) element.focus({ preventScroll: true });
  });
  observer.observe(element, { attributeFilter: ['disabled'] });
}
