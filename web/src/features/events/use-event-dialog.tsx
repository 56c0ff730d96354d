// Opens the form of an event; its code and texts come when it is first wanted.
import { lazy, Suspense } from 'react';
import type { EventDetails } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';
import { useOpening } from '@/ui/use-opening';

const EventDialog = lazy(async () => {
  const [{ EventDialog }] = await Promise.all([import('./event-dialog'), loadTexts('events', 'forms')]);
  return { default: EventDialog };
});

/** `open()`, and the dialog itself, to be put anywhere on the screen. */
export function useEventDialog(event: EventDetails | null = null) {
  const { nr, isOpen, open, close } = useOpening();
  const dialog = nr > 0 && (
    <Suspense>
      <EventDialog key={nr} event={event} open={isOpen} onClose={close} />
    </Suspense>
  );
  return { open, dialog };
}
