// 'Report': sends one of five reasons and an optional text to the operators.
import { lazy, Suspense, useState } from 'react';
import type { Report } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';

const ReportForm = lazy(async () => {
  const [{ ReportForm }] = await Promise.all([import('./report-form'), loadTexts('reports')]);
  return { default: ReportForm };
});

interface ReportDialogProps {
  /** The subject of the report; null while the dialog is closed. */
  subject: Pick<Report, 'kind' | 'id'> | null;
  onClose: () => void;
}

/** Loads its code and texts on first use; each opening has a new form. */
export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const open = subject !== null;
  const [shown, setShown] = useState({ subject, open: false, nr: 0 });
  // Keeps the subject during the closing animation.
  if (open !== shown.open)
    setShown({ subject: subject ?? shown.subject, open, nr: shown.nr + (open ? 1 : 0) });
  return (
    shown.subject && (
      <Suspense>
        <ReportForm key={shown.nr} subject={shown.subject} open={open} onClose={onClose} />
      </Suspense>
    )
  );
}
