// The `/` key, which focuses the search box.
import { type RefObject, useEffect } from 'react';

const written = 'input, textarea, select, [contenteditable="true"]';

/**
 * `/` focuses this field, unless the member is typing, a dialog is open or the field is not on screen. If there are two
 * fields, the `foremost` one takes precedence.
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
