// Joins or leaves a community: optimistic, reverted with a toast when the server refuses.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogOut, Plus } from 'lucide-react';
import { useState } from 'react';
import { api, read } from '@/api/client';
import type { Community } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { toast } from '@/ui/toast';
import { expectedMembership, membershipChanged, membershipKey, updateCommunity } from './community-cache';

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
  const [asking, setAsking] = useState(false);
  const { id, name, role } = community;
  const path = { id };
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
    onSuccess: (changed) => membershipChanged(queryClient, changed),
    onError: ({ message }, join, before) => {
      updateCommunity(queryClient, id, before ?? {});
      toast({
        title: t('shell:error'),
        description: t(join ? 'joinFailed' : 'leaveFailed', { message }),
        variant: 'destructive',
      });
    },
  });

  const press = () => {
    if (!user) toast({ title: t('signInRequired'), description: t('signInToJoin'), variant: 'info' });
    else if (change.isPending) return;
    else if (role) setAsking(true);
    else change.mutate(true);
  };
  const Icon = role ? LogOut : Plus;
  return (
    <>
      <Button
        variant={role ? 'ghost' : primary ? 'primary' : 'outline'}
        size={primary ? 'md' : 'sm'}
        className={className}
        aria-label={t(role ? 'leaveNamed' : 'joinNamed', { name })}
        aria-haspopup={role ? 'dialog' : undefined}
        onClick={press}
      >
        <Icon className="icon-sm" aria-hidden="true" />
        {t(role ? 'leave' : 'join')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('leaveTitle')}
        text={t('leaveText', { name })}
        action={t('leave')}
        onConfirm={() => {
          setAsking(false);
          change.mutate(false);
        }}
      />
    </>
  );
}
