// Apply Now, or Applied: opens the dialog for a member, and asks a visitor to sign in.
import { Check } from 'lucide-react';
import type { Job } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { toast } from '@/ui/toast';
import { useOpening } from '@/ui/use-opening';

const ApplyDialog = lazy(async () => (await import('./apply-dialog')).ApplyDialog);

interface ApplyButtonProps {
  job: Job;
  /** The id of the element that names the posting: a list has many of these buttons. */
  describedBy: string;
  className?: string;
}

/** One button for all states, so that the focus stays. */
export function ApplyButton({ job, describedBy, className }: ApplyButtonProps) {
  const { t } = useTranslation('jobs');
  const { user, isLoading } = useAuth();
  const { nr, isOpen, open, close } = useOpening();
  const { applied } = job;
  const press = () => {
    if (applied || isLoading) return;
    if (user) open();
    else toast({ title: t('signInTitle'), description: t('signInText'), variant: 'info' });
  };
  return (
    <>
      <Button
        variant={applied ? 'done' : 'primary'}
        className={className}
        // Looks disabled to a visitor and still takes the click that shows the reason.
        aria-disabled={applied || (!user && !isLoading)}
        aria-haspopup={user && !applied ? 'dialog' : undefined}
        aria-describedby={describedBy}
        onClick={press}
      >
        {applied && <Check className="icon-sm" />}
        {t(applied ? 'applied' : 'applyNow')}
      </Button>
      {/* Stays mounted once opened, to preserve unsaved notes. */}
      {nr > 0 && <ApplyDialog job={job} open={isOpen} onClose={close} />}
    </>
  );
}
