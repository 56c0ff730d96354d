// Opens the form of a community; its code and the form layer's texts come when it is first wanted.
import { lazy, Suspense } from 'react';
import type { CommunityDetails } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';
import { useOpening } from '@/ui/use-opening';

const CommunityDialog = lazy(async () => {
  const [{ CommunityDialog }] = await Promise.all([import('./community-dialog'), loadTexts('forms')]);
  return { default: CommunityDialog };
});

/** `open()`, and the dialog itself, to be put anywhere on the screen. */
export function useCommunityDialog(community: CommunityDetails | null = null) {
  const { nr, isOpen, open, close } = useOpening();
  const dialog = nr > 0 && (
    <Suspense>
      <CommunityDialog key={nr} community={community} open={isOpen} onClose={close} />
    </Suspense>
  );
  return { open, dialog };
}
