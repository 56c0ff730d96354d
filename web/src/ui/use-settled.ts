// A text once it has stopped changing.
import { useEffect, useState } from 'react';

/** The text after `pause` milliseconds without typing; an empty one at once. */
export function useSettled(text: string, pause: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text ? pause : 0);
    return () => clearTimeout(timer);
  }, [text, pause]);
  return text && settled;
}
