// Keys typed between the press that leads to a field, in a dialog or on another screen, and the field itself, while it is loading.
import i18next from 'i18next';
import { focusWhenEnabled, presentElement } from './lost-focus';
import { isTouchScreen } from './touch';

interface Catcher {
  field: HTMLTextAreaElement;
  /** Had the focus before; the dialog returns it there. */
  opener: Element | null;
  isComposing: boolean;
}

let catcher: Catcher | null = null;

/**
 * Call in the handler of the press. A hidden field takes the focus, so that input methods work, and a phone opens its
 * keyboard, which it does only during a press. Escape and Tab give the focus back.
 *
 * @param onEscape Closes the dialog that is loading.
 */
export function catchTyping(onEscape?: () => void): void {
  drop();
  const field = document.createElement('textarea');
  field.className = 'sr-only';
  // A smaller font makes a phone zoom in.
  field.style.fontSize = '16px';
  field.setAttribute('aria-label', i18next.t('loading'));
  const mine: Catcher = { field, opener: document.activeElement, isComposing: false };
  field.addEventListener('blur', () => catcher === mine && drop());
  field.addEventListener('compositionstart', () => {
    mine.isComposing = true;
  });
  field.addEventListener('compositionend', () => {
    mine.isComposing = false;
  });
  field.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' && key !== 'Tab') return;
    returnFocus(mine);
    if (key === 'Escape') onEscape?.();
  });
  document.body.append(field);
  catcher = mine;
  field.focus({ preventScroll: true });
}

/** The same for a press that leads to a field of another screen, which takes the focus only where no keyboard opens. */
export function awaitField(): void {
  if (!isTouchScreen() && !isTextField(document.activeElement)) catchTyping();
}

/** Focuses the field of the new screen with what was typed, unless the member writes elsewhere by now. */
export function focusAwaited(field: HTMLElement): void {
  const isWriting = isTextField(document.activeElement) && document.activeElement !== catcher?.field;
  if (!isTouchScreen() && !isWriting) focusWithTyped(field);
}

/** There is no field: gives the focus back. */
export function stopAwaiting(): void {
  if (catcher) returnFocus(catcher);
}

function returnFocus({ opener }: Catcher): void {
  const to = presentElement(opener) ?? document.querySelector('main');
  if (to instanceof HTMLElement) focusWhenEnabled(to);
  // The body and a disabled button take no focus.
  drop();
}

function drop(): void {
  const dropped = catcher;
  catcher = null;
  dropped?.field.remove();
}

/** The element that had the focus when the member pressed. */
export function focusedBefore(): Element | null {
  return catcher?.opener ?? document.activeElement;
}

/** Focuses the first field of the dialog and adds what was typed; a word of an input method is finished first. */
export function focusWithTyped(target: HTMLElement): void {
  const mine = catcher;
  if (!mine?.isComposing) {
    move(target);
    return;
  }
  mine.field.addEventListener('compositionend', () => setTimeout(() => target.isConnected && move(target)), {
    once: true,
  });
}

function move(target: HTMLElement): void {
  const typed = catcher?.field.value ?? '';
  drop();
  target.focus();
  if (typed && isTextField(target)) append(target, typed);
}

type TextField = HTMLTextAreaElement | HTMLInputElement;

const textTypes = ['text', 'search', 'url', 'email', 'tel', 'password'];

export function isTextField(target: Element | null): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && textTypes.includes(target.type);
}

function append(field: TextField, typed: string): void {
  const text = field instanceof HTMLInputElement ? typed.replace(/\s*\n\s*/g, ' ') : typed;
  const whole = `${field.value}${text}`;
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  // Uses the prototype's setter: React replaces the element's setter to notice changes by code.
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(
    field,
    field.maxLength >= 0 ? whole.slice(0, field.maxLength) : whole,
  );
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.setSelectionRange(field.value.length, field.value.length);
}
