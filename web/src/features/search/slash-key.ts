// The key that leads to the search box from anywhere: `/`.
import { type RefObject, useEffect } from 'react';

const written = 'input, textarea, select, [contenteditable="true"]';

/**
 * `/` puts the focus into this field, unless the member is typing elsewhere, a dialog is open or the field is not on screen.
 * Where there are two, the `foremost` goes first.
 */
export function useSlashKey(field: RefObject<HTMLInputElement | null>, { foremost = false } = {}): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      const { target } = event;
      if (target instanceof Element && target.closest(written)) return;
      if (!field.current || !isShown(field.current) || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      field.current.focus();
      field.current.select();
    };
    window.addEventListener('keydown', press, { capture: foremost });
    return () => window.removeEventListener('keydown', press, { capture: foremost });
  }, [field, foremost]);
}

function isShown(element: HTMLElement): boolean {
  return element.checkVisibility?.() ?? true;
}
