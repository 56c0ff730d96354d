// Opens the event dialog; loads its code and texts on first use.
import type { EventDetails } from '@/api/schema.gen';
import { withTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';
import { useOpening } from '@/ui/use-opening';

const EventDialog = lazy(
  async () => (await withTexts(import('./event-dialog'), 'events', 'forms')).EventDialog,
);

/** Returns `open()` and the dialog element, which can be rendered anywhere on the screen. */
export function useEventDialog(event: EventDetails | null = null) {
  const { nr, isOpen, open, close } = useOpening();
  const dialog = nr > 0 && <EventDialog key={nr} event={event} open={isOpen} onClose={close} />;
  return { open, dialog };
}
