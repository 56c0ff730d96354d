// The heading of a settings section that an address names by its hash: it takes the focus and comes into view.
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Also when a link to the section is pressed on the settings screen itself. */
export function useHeadingAt(section: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash, key } = useLocation();
  useEffect(() => {
    if (!key || hash !== section) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView?.();
  }, [hash, key, section]);
  return heading;
}
