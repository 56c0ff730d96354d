// A button that loads more of a list when it becomes visible or is pressed.
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '@/ui/button';

interface LoadMoreButtonProps {
  /** The selector of the scrolling container. */
  within: string;
  busy: boolean;
  /** After a failure it loads only when pressed. */
  failed: boolean;
  onMore: () => void;
  children: ReactNode;
}

export function LoadMoreButton({ within, busy, failed, onMore, children }: LoadMoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const more = useEffectEvent(onMore);
  const waits = !busy && !failed;
  useEffect(() => {
    const shown = button.current;
    if (!shown || !waits) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more();
      },
      // Starts before the button is visible, so that the viewer does not wait.
      { root: shown.closest(within), rootMargin: '400px 0px' },
    );
    observer.observe(shown);
    return () => observer.disconnect();
  }, [waits, within]);
  return (
    <Button ref={button} variant="ghost" size="sm" className="w-full" busy={busy} onClick={onMore}>
      {children}
    </Button>
  );
}
