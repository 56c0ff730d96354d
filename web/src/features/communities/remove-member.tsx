// Removes a member from a community, with a reason for the log and, if chosen, a ban.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '@/api/client';
import { communityModerated } from '@/api/community-moderation';
import type { Author, CommunityDetails, CommunityReason } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { Checkbox } from '@/ui/field';
import { ReasonField } from './reason-field';

interface RemoveMemberProps {
  community: CommunityDetails;
  user: Author;
  open: boolean;
  onClose: () => void;
}

export function RemoveMember({ community: { id, name: community }, user, open, onClose }: RemoveMemberProps) {
  const { t } = useTranslation('manage');
  const queryClient = useQueryClient();
  const [reason, setReason] = useState<CommunityReason | null>(null);
  const [ban, setBan] = useState(false);
  const name = user.fullName;
  const remove = useChange({
    mutationFn: () =>
      api.DELETE('/api/communities/{id}/members/{memberId}', {
        params: { path: { id, memberId: user.id }, query: { ban, ...(reason && { reason }) } },
      }),
    done: () => ({ title: t(ban ? 'banned' : 'removed', { name }) }),
    failed: ({ message }) => t('removeFailed', { message }),
    onSuccess: () => communityModerated(queryClient, id),
    onSettled: onClose,
  });
  const text = t('removeText', { name, community });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={() => !remove.isPending && onClose()}
      title={t('removeTitle', { name })}
      text={text}
      action={t(ban ? 'removeAndBan' : 'remove')}
      destructive
      busy={remove.isPending}
      busyLabel={t('removing')}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    >
      <ReasonField value={reason} onChange={setReason} hint={t('reasonHint')} />
      <Checkbox
        label={<span className="min-w-0 wrap-anywhere">{t('ban', { name })}</span>}
        checked={ban}
        onChange={({ target }) => setBan(target.checked)}
      />
    </ConfirmDialog>
  );
}
