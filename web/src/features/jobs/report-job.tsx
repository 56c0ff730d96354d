// The report button of a posting, for members.
import { Flag } from 'lucide-react';

import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { useOpening } from '@/ui/use-opening';

const ReportDialog = lazy(async () => (await import('@/features/reports/report-dialog')).ReportDialog);

export function ReportJob({ id }: { id: string }) {
  const { t } = useTranslation('jobs');
  const { user } = useAuth();
  const { nr, isOpen, open, close } = useOpening();
  if (!user) return null;
  return (
    <>
      <Button variant="ghost" className="max-sm:w-full" aria-haspopup="dialog" onClick={open}>
        <Flag className="icon-sm" aria-hidden="true" />
        {t('report')}
      </Button>
      {nr > 0 && <ReportDialog subject={isOpen ? { kind: 'job', id } : null} onClose={close} />}
    </>
  );
}
