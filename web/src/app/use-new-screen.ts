// Scroll position and focus after a navigation.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { scrolled } from '@/ui/return-navigation';

/**
 * A link opens the new screen at its top and moves the focus there for keyboard and screen reader, unless the link asks
 * for a field, which takes the focus itself. Back restores the scroll position. The browser cannot restore it: it scrolls before React has drawn the old screen.
 */
export function useNewScreen() {
  const main = useRef<HTMLElement>(null);
  const { key, pathname, state } = useLocation();
  const way = useNavigationType();
  const shown = useRef(pathname);

  useLayoutEffect(() => {
    let place = scrolled.get(key) ?? 0;
    const remember = () => {
      place = window.scrollY;
    };
    window.addEventListener('scroll', remember);
    return () => {
      window.removeEventListener('scroll', remember);
      scrolled.set(key, place);
    };
  }, [key]);

  useLayoutEffect(() => {
    if (shown.current !== pathname) window.scrollTo(0, way === 'POP' ? (scrolled.get(key) ?? 0) : 0);
  }, [key, pathname, way]);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (way === 'POP' || !state?.focusField) main.current?.focus({ preventScroll: true });
  }, [pathname, state, way]);

  return main;
}
