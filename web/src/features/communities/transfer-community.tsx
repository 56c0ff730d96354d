// Transfers a community to one of its moderators after a confirmation.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { updateCommunity } from '@/api/communities';
import { communityModerated } from '@/api/community-moderation';
import type { Author, CommunityDetails } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { ConfirmDialog } from '@/ui/confirm-dialog';

interface TransferCommunityProps {
  community: CommunityDetails;
  user: Author;
  open: boolean;
  onClose: () => void;
}

export function TransferCommunity({
  community: { id, name: community },
  user,
  open,
  onClose,
}: TransferCommunityProps) {
  const { t } = useTranslation('manage');
  const queryClient = useQueryClient();
  const names = { name: user.fullName, community };
  const transfer = useChange({
    mutationFn: () =>
      read(
        api.POST('/api/communities/{id}/transfer', {
          params: { path: { id } },
          body: { memberId: user.id },
        }),
      ),
    done: () => ({ title: t('transferred', names) }),
    failed: ({ message }) => t('transferFailed', { message }),
    onSuccess: (changed) => {
      updateCommunity(queryClient, id, changed);
      return communityModerated(queryClient, id);
    },
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
