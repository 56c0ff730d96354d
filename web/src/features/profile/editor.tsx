// Opens the Edit Profile dialog at a tab; its code and the form layer's texts come when it is first wanted.
import { lazy, Suspense, useState } from 'react';
import type { ProfileView } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';
import type { EditTab } from './edit-tabs';

const EditDialog = lazy(async () => {
  const [{ EditDialog }] = await Promise.all([import('./edit/edit-dialog'), loadTexts('forms')]);
  return { default: EditDialog };
});

/** `open(tab)`, and the dialog itself, to be put anywhere on the screen. */
export function useEditor(view: ProfileView) {
  // Each opening is another form: what was cancelled is gone. It stays mounted so that closing can be seen.
  const [opening, setOpening] = useState<{ nr: number; tab: EditTab; isOpen: boolean } | null>(null);
  const open = (tab: EditTab) => setOpening((last) => ({ nr: (last?.nr ?? 0) + 1, tab, isOpen: true }));
  const dialog = opening && (
    <Suspense>
      <EditDialog
        key={opening.nr}
        view={view}
        startTab={opening.tab}
        open={opening.isOpen}
        onClose={() => setOpening({ ...opening, isOpen: false })}
      />
    </Suspense>
  );
  return { open, dialog };
}
