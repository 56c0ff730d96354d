// Opens the community dialog; loads its code and texts on first use.
import type { CommunityDetails } from '@/api/schema.gen';
import { withTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';
import { useOpening } from '@/ui/use-opening';

const CommunityDialog = lazy(
  async () => (await withTexts(import('./community-dialog'), 'forms')).CommunityDialog,
);

/** Returns `open()` and the dialog element, which can be rendered anywhere on the screen. */
export function useCommunityDialog(community: CommunityDetails | null = null) {
  const { nr, isOpen, open, close } = useOpening();
  const dialog = nr > 0 && <CommunityDialog key={nr} community={community} open={isOpen} onClose={close} />;
  return { open, dialog };
}
