// The keys of the shortcuts, and when a key is not a shortcut.

export type Shortcut = 'palette' | 'help' | 'search' | 'next' | 'previous' | 'open' | 'like' | 'comment';

/** Punctuation is compared by character: its position, and whether it needs Shift, depend on the keyboard layout. */
const punctuation: Record<string, Shortcut> = { '/': 'search', '?': 'help' };
const letters: Record<string, Shortcut> = { j: 'next', k: 'previous', l: 'like', c: 'comment' };

/** Here keys write text, or select an option by its first letter. */
const takesKeys =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="combobox"], [role="listbox"], [role="menu"]';

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** The shortcut of a key press; null if the key means something else here. */
export function shortcutOf(event: KeyboardEvent, singleKeys: boolean): Shortcut | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (event.defaultPrevented || event.isComposing || document.querySelector('[role$="dialog"]')) return null;
  const letter = key.toLowerCase();
  // On a Mac, Ctrl-K deletes to the end of the line.
  if (letter === 'k' && (metaKey || (ctrlKey && !isMac)) && !altKey && !shiftKey) return 'palette';
  if (!singleKeys || ctrlKey || metaKey || altKey) return null;
  if (target instanceof Element && target.closest(takesKeys)) return null;
  // On a link or button in the post, Enter presses that.
  if (key === 'Enter')
    return !shiftKey && target instanceof Element && target.matches('article[data-post]') ? 'open' : null;
  return punctuation[key] ?? (shiftKey ? null : (letters[letter] ?? null));
}
