// Whether a press of Enter in a message field sends the message.
import type { KeyboardEvent } from 'react';

/**
 * Shift+Enter breaks the line. The keyboard on a touch screen has no such keys: there Enter breaks the line, and the button
 * sends. Enter also confirms a suggestion of an input method.
 */
export function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  if (key !== 'Enter' || shiftKey || nativeEvent.isComposing) return false;
  return !window.matchMedia('(pointer: coarse)').matches;
}
