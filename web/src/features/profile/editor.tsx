// Opens the Edit Profile dialog at a tab; loads its code and texts on first use.
import { useState } from 'react';
import type { ProfileView } from '@/api/schema.gen';
import { withTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';
import { catchTyping } from '@/ui/type-ahead';
import type { EditTab } from './edit-tabs';

const EditDialog = lazy(async () => (await withTexts(import('./edit/edit-dialog'), 'forms')).EditDialog);

/** Returns `open(tab)` and the dialog element, which can be rendered anywhere on the screen. */
export function useEditor(view: ProfileView) {
  // Each opening has a new form, so cancelled input is discarded. Stays mounted for the closing animation.
  const [opening, setOpening] = useState<{ nr: number; tab: EditTab; isOpen: boolean } | null>(null);
  const close = () => setOpening((last) => last && { ...last, isOpen: false });
  const open = (tab: EditTab) => {
    catchTyping(close);
    setOpening((last) => ({ nr: (last?.nr ?? 0) + 1, tab, isOpen: true }));
  };
  const dialog = opening && (
    <EditDialog key={opening.nr} view={view} startTab={opening.tab} open={opening.isOpen} onClose={close} />
  );
  return { open, dialog };
}
