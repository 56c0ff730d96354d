// The button that joins a community or asks to join, and leaves it or withdraws the request.
import { LogOut, Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { Community } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { lazy } from '@/ui/lazy';
import { toast } from '@/ui/toast';
import { ToggleButton } from '@/ui/toggle-button';
import { useOpening } from '@/ui/use-opening';
import { InvitationAnswer } from './invitation-answer';
import { moderates } from './roles';
import { useMembership } from './use-membership';

/** Only members who cannot come back as they were are asked; the dialogs are larger than the screens with this button. */
const ConfirmDialog = lazy(async () => (await import('@/ui/confirm-dialog')).ConfirmDialog);

interface JoinButtonProps {
  community: Community;
  /** The only action of its card, not one of a list. */
  primary?: boolean;
  className?: string;
}

/** One button for all actions, so that the focus stays; two for an invited member. */
export function JoinButton({ community, primary, className }: JoinButtonProps) {
  const { t } = useTranslation(['communities', 'shell']);
  const { user } = useAuth();
  const question = useOpening();
  const { set, isPending } = useMembership(community);
  // While the dialog closes, the community has no role any more.
  const [lostRole, setLostRole] = useState<'owner' | 'moderator' | null>(null);
  const { name, role, joining, standing } = community;
  if (standing === 'invited' && !role) {
    return <InvitationAnswer community={community} primary={primary} className={className} />;
  }
  // Without an invitation there is nothing to press; the badge beside the name says why.
  if (joining === 'invitation' && !role) return null;
  const isRequested = standing === 'requested' && !role;
  const isOn = Boolean(role) || isRequested;
  const asks = Boolean(role) && (moderates(community) || joining !== 'open');
  const press = () => {
    if (!user) toast({ title: t('signInRequired'), description: t('signInToJoin'), variant: 'info' });
    else if (isPending) return;
    else if (asks) {
      setLostRole(role === 'owner' || role === 'moderator' ? role : null);
      question.open();
    } else set(!isOn);
  };
  const off = joining === 'request' ? 'request' : 'join';
  const on = isRequested ? 'withdraw' : 'leave';
  return (
    <>
      <ToggleButton
        isOn={isOn}
        on={{ icon: isRequested ? X : LogOut, label: t(on) }}
        off={{ icon: Plus, label: t(off) }}
        variant={isOn || !primary ? 'outline' : 'primary'}
        size={primary ? 'md' : 'sm'}
        className={className}
        aria-label={t(`${isOn ? on : off}Named`, { name })}
        aria-haspopup={asks ? 'dialog' : undefined}
        onClick={press}
      />
      {question.nr > 0 && (
        <ConfirmDialog
          open={question.isOpen}
          onOpenChange={question.close}
          title={t('leaveTitle')}
          text={[
            t('leaveText', { name }),
            t(`leaveAgain.${joining}`),
            ...(lostRole ? [t(`leaveRole.${lostRole}`)] : []),
          ].join(' ')}
          action={t('leave')}
          onConfirm={() => {
            question.close();
            set(false);
          }}
        />
      )}
    </>
  );
}
