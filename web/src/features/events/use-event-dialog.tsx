// Opens the event dialog; loads its code and texts on first use.
import type { EventDetails } from '@/api/schema.gen';
import { withTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';
import { useDialog } from '@/ui/use-dialog';

const EventDialog = lazy(
  async () => (await withTexts(import('./event-dialog'), 'events', 'forms')).EventDialog,
);

/** Null creates one. */
export const useEventDialog = (event: EventDetails | null = null) => useDialog(EventDialog, { event });
