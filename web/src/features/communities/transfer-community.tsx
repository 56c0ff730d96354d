// Transfers a community to one of its moderators after a confirmation.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { updateCommunity } from '@/api/communities';
import { communityModerated } from '@/api/community-moderation';
import type { Author, CommunityDetails } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { toast } from '@/ui/toast';

interface TransferCommunityProps {
  community: CommunityDetails;
  user: Author;
  open: boolean;
  onClose: () => void;
}

/** Needs the texts of `manage`. */
export function TransferCommunity({
  community: { id, name: community },
  user,
  open,
  onClose,
}: TransferCommunityProps) {
  const { t } = useTranslation(['manage', 'shell']);
  const queryClient = useQueryClient();
  const names = { name: user.fullName, community };
  const transfer = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/communities/{id}/transfer', {
          params: { path: { id } },
          body: { memberId: user.id },
        }),
      ),
    onSuccess: (changed) => {
      toast({ title: t('transferred', names), variant: 'success' });
      updateCommunity(queryClient, id, changed);
      return communityModerated(queryClient, id);
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('transferFailed', { message }),
        variant: 'destructive',
      }),
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={() => !transfer.isPending && onClose()}
      title={t('transferTitle', names)}
      text={t('transferText', names)}
      action={t('transfer')}
      busy={transfer.isPending}
      busyLabel={t('transferring')}
      onConfirm={() => transfer.mutate()}
    />
  );
}
