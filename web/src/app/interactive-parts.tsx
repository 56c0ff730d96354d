// Parts loaded at the first interaction: tooltips and the toast area; and the keyboard shortcuts, after the first paint.
import { useEffect } from 'react';
import { deferred } from '@/ui/deferral';
import { useToast } from '@/ui/toast';
import { tooltips } from '@/ui/tooltip';

const toasts = deferred(() => import('@/ui/toaster'));
const shortcuts = deferred(() => import('./shortcuts'));

/** The first touch, click or key loads the parts, so that a later error can be shown. */
export function InteractiveParts() {
  const message = useToast();
  const parts = toasts.use();
  const keys = shortcuts.use();

  useEffect(() => {
    shortcuts.load();
    // Not `pointerover`: a browser sends it when content appears under a pointer at rest, while the screen still loads.
    const events = ['pointermove', 'pointerdown', 'keydown'] as const;
    const load = (event: PointerEvent | KeyboardEvent) => {
      toasts.load();
      // Touch has no tooltips, and its click follows some time after the release.
      if ('pointerType' in event && event.pointerType === 'touch') return;
      tooltips.load();
      stop();
    };
    const stop = () => {
      for (const event of events) window.removeEventListener(event, load);
    };
    for (const event of events) window.addEventListener(event, load, { passive: true });
    return stop;
  }, []);

  useEffect(() => {
    if (message) toasts.load();
  }, [message]);

  return (
    <>
      {parts && <parts.Toaster />}
      {keys && <keys.Shortcuts />}
    </>
  );
}
