// Where the focus goes when the button that had it leaves the screen with its row.

/** To the nearest region around it, so that the keyboard does not begin again at the top of the page. */
export function keepFocusNear(button: HTMLElement): void {
  button.closest<HTMLElement>('[role="tabpanel"], section[tabindex]')?.focus({ preventScroll: true });
}
