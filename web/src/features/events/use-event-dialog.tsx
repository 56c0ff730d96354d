// Opens the event dialog; loads its code and texts on first use.
import { lazy, Suspense } from 'react';
import type { EventDetails } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';
import { useOpening } from '@/ui/use-opening';

const EventDialog = lazy(async () => {
  const [{ EventDialog }] = await Promise.all([import('./event-dialog'), loadTexts('events', 'forms')]);
  return { default: EventDialog };
});

/** Returns `open()` and the dialog element, which can be rendered anywhere on the screen. */
export function useEventDialog(event: EventDetails | null = null) {
  const { nr, isOpen, open, close } = useOpening();
  const dialog = nr > 0 && (
    <Suspense>
      <EventDialog key={nr} event={event} open={isOpen} onClose={close} />
    </Suspense>
  );
  return { open, dialog };
}
