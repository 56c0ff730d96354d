// Opens the suggestion dialog; loads its code and texts on first use.
import { withTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';
import { useOpening } from '@/ui/use-opening';

const SuggestDialog = lazy(
  async () => (await withTexts(import('./suggest-dialog'), 'resources', 'forms')).SuggestDialog,
);

/** Returns `open()` and the dialog element, which can be rendered anywhere on the screen. */
export function useSuggestDialog() {
  const { nr, isOpen, open, close } = useOpening();
  const dialog = nr > 0 && <SuggestDialog key={nr} open={isOpen} onClose={close} />;
  return { open, dialog };
}
