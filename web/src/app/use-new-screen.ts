// What a change of address does to scroll position and focus.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** History entry -> how far it was scrolled when it was last seen. */
const scrolled = new Map<string, number>();

/**
 * A followed link starts the new screen at its top, for the eye and, by focus, for keyboard and screen reader; the way
 * back returns to where one was. The browser cannot do the latter: it scrolls before the old screen is drawn again.
 */
export function useNewScreen() {
  const main = useRef<HTMLElement>(null);
  const { key, pathname } = useLocation();
  const way = useNavigationType();
  const shown = useRef(pathname);

  useLayoutEffect(() => {
    const remember = () => scrolled.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);

  useLayoutEffect(() => {
    if (shown.current !== pathname) window.scrollTo(0, way === 'POP' ? (scrolled.get(key) ?? 0) : 0);
  }, [key, pathname, way]);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return main;
}
