// 'Report': what is wrong, in one of five words and in one's own, to the people who run Portia.
import { lazy, Suspense, useState } from 'react';
import type { Report } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';

const ReportForm = lazy(async () => {
  const [{ ReportForm }] = await Promise.all([import('./report-form'), loadTexts('reports')]);
  return { default: ReportForm };
});

interface ReportDialogProps {
  /** What is reported; null while nothing is. */
  subject: Pick<Report, 'kind' | 'id'> | null;
  onClose: () => void;
}

/** Its code and texts come when it is first wanted; each opening is a fresh form. */
export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const open = subject !== null;
  const [shown, setShown] = useState({ subject, open: false, nr: 0 });
  // While it closes it still shows what it was about.
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
