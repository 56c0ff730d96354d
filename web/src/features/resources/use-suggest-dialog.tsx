// Opens the form of a suggestion; its code and texts come when it is first wanted.
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

/** `open()`, and the dialog itself, to be put anywhere on the screen. */
export function useSuggestDialog() {
  const { nr, isOpen, open, close } = useOpening();
  const dialog = nr > 0 && (
    <Suspense>
      <SuggestDialog key={nr} open={isOpen} onClose={close} />
    </Suspense>
  );
  return { open, dialog };
}
