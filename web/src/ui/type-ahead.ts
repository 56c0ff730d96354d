// Keys typed between the press that opens a dialog and the dialog's first field, while its code is loading.
import i18next from 'i18next';

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
    if (mine.opener instanceof HTMLElement) mine.opener.focus();
    if (key === 'Escape') onEscape?.();
  });
  document.body.append(field);
  catcher = mine;
  field.focus({ preventScroll: true });
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

function isTextField(target: HTMLElement): target is TextField {
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
