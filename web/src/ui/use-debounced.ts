// Debounces a text.
import { useEffect, useState } from 'react';

/** The text after `pause` milliseconds without a change; an empty text at once. */
export function useDebounced(text: string, pause: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text ? pause : 0);
    return () => clearTimeout(timer);
  }, [text, pause]);
  return text && settled;
}
