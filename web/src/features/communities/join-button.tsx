// Joins or leaves a community: optimistic, reverted with a toast when the server refuses.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogOut, Plus } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { api, read } from '@/api/client';
import { expectedMembership, membershipChanged, membershipKey, updateCommunity } from '@/api/communities';
import type { Community } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';
import { ToggleButton } from '@/ui/toggle-button';
import { useOpening } from '@/ui/use-opening';
import { moderates } from './roles';

/** Only owners and moderators are asked; the dialogs are larger than the screens with this button. */
const ConfirmDialog = lazy(async () => ({ default: (await import('@/ui/confirm-dialog')).ConfirmDialog }));

interface JoinButtonProps {
  community: Community;
  /** The only action of its card, not one of a list. */
  primary?: boolean;
  className?: string;
}

/** One button for both actions, so that the focus stays. Needs the texts of `communities`. */
export function JoinButton({ community, primary, className }: JoinButtonProps) {
  const { t } = useTranslation(['communities', 'shell']);
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const question = useOpening();
  // While the dialog closes, the community has no role any more.
  const [lostRole, setLostRole] = useState<'owner' | 'moderator'>('moderator');
  const { id, name, role } = community;
  const path = { id };
  // An undone change is not announced again.
  const isUndo = useRef(false);
  const change = useMutation({
    mutationKey: membershipKey(id),
    mutationFn: (join: boolean) =>
      join
        ? read(api.PUT('/api/communities/{id}/membership', { params: { path } }))
        : read(api.DELETE('/api/communities/{id}/membership', { params: { path } })),
    onMutate: (join) => {
      const { memberCount } = community;
      updateCommunity(queryClient, id, expectedMembership(community, join));
      return { role, memberCount };
    },
    onSuccess: (changed, join, before) => {
      membershipChanged(queryClient, changed);
      if (isUndo.current) return;
      toast({
        title: t(join ? 'joinedNow' : 'leftNow', { name }),
        variant: 'success',
        // An owner or moderator who leaves does not regain the role by joining.
        action:
          before?.role === 'owner' || before?.role === 'moderator'
            ? undefined
            : { label: t('shell:undo'), onClick: () => set(!join, true) },
      });
    },
    onError: ({ message }, join, before) => {
      updateCommunity(queryClient, id, before ?? {});
      toast({
        title: t('shell:error'),
        description: t(join ? 'joinFailed' : 'leaveFailed', { message }),
        variant: 'destructive',
      });
    },
  });

  const set = (join: boolean, undo: boolean) => {
    isUndo.current = undo;
    change.mutate(join);
  };
  const press = () => {
    if (!user) toast({ title: t('signInRequired'), description: t('signInToJoin'), variant: 'info' });
    else if (change.isPending) return;
    else if (role === 'owner' || role === 'moderator') {
      setLostRole(role);
      question.open();
    } else set(!role, false);
  };
  return (
    <>
      <ToggleButton
        isOn={Boolean(role)}
        on={{ icon: LogOut, label: t('leave') }}
        off={{ icon: Plus, label: t('join') }}
        variant={role || !primary ? 'outline' : 'primary'}
        size={primary ? 'md' : 'sm'}
        className={className}
        aria-label={t(role ? 'leaveNamed' : 'joinNamed', { name })}
        aria-haspopup={moderates(community) ? 'dialog' : undefined}
        onClick={press}
      />
      {question.nr > 0 && (
        <Suspense>
          <ConfirmDialog
            open={question.isOpen}
            onOpenChange={question.close}
            title={t('leaveTitle')}
            text={`${t('leaveText', { name })} ${t(`leaveRole.${lostRole}`)}`}
            action={t('leave')}
            onConfirm={() => {
              question.close();
              set(false, false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
