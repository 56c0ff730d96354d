// 'Report': sends one of five reasons and an optional text to the operators.
import { useState } from 'react';
import type { Report } from '@/api/schema.gen';
import { withTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';

const ReportForm = lazy(async () => (await withTexts(import('./report-form'), 'reports')).ReportForm);

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
  return shown.subject && <ReportForm key={shown.nr} subject={shown.subject} open={open} onClose={onClose} />;
}
