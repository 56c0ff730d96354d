// A button that fetches more of a list by itself once it comes into sight, and by a press otherwise.
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '@/ui/button';

interface MoreOnSightProps {
  /** The selector of the part that scrolls. */
  within: string;
  busy: boolean;
  /** After a failure it waits to be pressed. */
  failed: boolean;
  onMore: () => void;
  children: ReactNode;
}

export function MoreOnSight({ within, busy, failed, onMore, children }: MoreOnSightProps) {
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
      // Somewhat before it is in sight, so that the reader does not wait.
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
