// Opens the community dialog; loads its code and texts on first use.
import type { CommunityDetails } from '@/api/schema.gen';
import { withTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';
import { useDialog } from '@/ui/use-dialog';

const CommunityDialog = lazy(
  async () => (await withTexts(import('./community-dialog'), 'forms')).CommunityDialog,
);

/** Null creates one. */
export const useCommunityDialog = (community: CommunityDetails | null = null) =>
  useDialog(CommunityDialog, { community });
