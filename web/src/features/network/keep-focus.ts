// Moves the focus when the row of a focused button disappears.

/** Focuses the nearest region, so that the keyboard position is not reset to the top of the page. */
export function keepFocusNear(button: HTMLElement): void {
  button.closest<HTMLElement>('[role="tabpanel"], section[tabindex]')?.focus({ preventScroll: true });
}
