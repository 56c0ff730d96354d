// Opens the suggestion dialog; loads its code and texts on first use.
import { lazy, Suspense } from 'react';
import { loadTexts } from '@/i18n/load-texts';
import { useOpening } from '@/ui/use-opening';

const SuggestDialog = lazy(async () => {
  const [{ SuggestDialog }] = await Promise.all([
    import('./suggest-dialog'),
    loadTexts('resources', 'forms'),
  ]);
  return { default: SuggestDialog };
});

/** Returns `open()` and the dialog element, which can be rendered anywhere on the screen. */
export function useSuggestDialog() {
  const { nr, isOpen, open, close } = useOpening();
  const dialog = nr > 0 && (
    <Suspense>
      <SuggestDialog key={nr} open={isOpen} onClose={close} />
    </Suspense>
  );
  return { open, dialog };
}
