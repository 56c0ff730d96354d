// The menu beside a message of the other member: report it.
import { Flag } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { MoreMenu } from '@/ui/more-menu';

const ReportDialog = lazy(async () => ({
  default: (await import('@/features/reports/report-dialog')).ReportDialog,
}));

/** Visible with hover or focus on the row, and always on touch screens. Needs the texts of `messages`. */
export function MessageMenu({ id }: { id: string }) {
  const { t } = useTranslation('messages');
  // Stays mounted once opened, for the closing animation.
  const [asked, setAsked] = useState(false);
  const [open, setOpen] = useState(false);
  const report = () => {
    setAsked(true);
    setOpen(true);
  };
  return (
    <>
      <MoreMenu
        label={t('messageOptions')}
        actions={[{ icon: Flag, label: t('reportMessage'), act: report }]}
        className="self-center pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 pointer-fine:focus-visible:opacity-100 pointer-fine:aria-expanded:opacity-100"
      />
      {asked && (
        <Suspense>
          <ReportDialog subject={open ? { kind: 'message', id } : null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
