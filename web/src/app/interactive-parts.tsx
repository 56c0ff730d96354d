// What a page needs only once somebody uses it: tooltips, and the place where toasts appear.
import { useEffect } from 'react';
import { deferred } from '@/ui/deferred';
import { useToast } from '@/ui/toast';
import { tooltips } from '@/ui/tooltip';

const toasts = deferred(() => import('@/ui/toaster'));

/** The first touch, click or key brings the parts, so that they are there before anything can fail and say so. */
export function InteractiveParts() {
  const message = useToast();
  const parts = toasts.use();

  useEffect(() => {
    const load = () => {
      toasts.load();
      tooltips.load();
    };
    const once = { once: true, passive: true };
    for (const event of ['pointerover', 'pointerdown', 'keydown'] as const)
      window.addEventListener(event, load, once);
    return () => {
      for (const event of ['pointerover', 'pointerdown', 'keydown'] as const)
        window.removeEventListener(event, load);
    };
  }, []);

  useEffect(() => {
    if (message) toasts.load();
  }, [message]);

  return parts && <parts.Toaster />;
}
