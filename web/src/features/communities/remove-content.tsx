// Removes a post or comment of another member from a community, with a reason for its author.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMatch, useNavigate } from 'react-router';
import { api } from '@/api/client';
import { communityLogChanged } from '@/api/community-moderation';
import { isUnknown } from '@/api/error';
import { postsChanged } from '@/api/saved';
import type { CommunityReason } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useChange } from '@/session/use-change';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { ReasonField } from './reason-field';

interface RemoveContentProps {
  kind: 'post' | 'comment';
  id: string;
  communityId: string;
  /** The name of the author. */
  name: string;
  open: boolean;
  onClose: () => void;
}

export function RemoveContent({ kind, id, communityId, name, open, onClose }: RemoveContentProps) {
  const { t } = useTranslation('manage');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const alone = useMatch(paths.post(id));
  const [reason, setReason] = useState<CommunityReason | null>(null);
  const remove = useChange({
    mutationFn: async () => {
      const params = { path: { id }, query: reason ? { reason } : {} };
      try {
        if (kind === 'post') await api.DELETE('/api/posts/{id}', { params });
        else await api.DELETE('/api/comments/{id}', { params });
      } catch (error) {
        // Already deleted, perhaps by another moderator: counts as success.
        if (!isUnknown(error)) throw error;
      }
    },
    done: () => ({ title: t(kind === 'post' ? 'postRemoved' : 'commentRemoved') }),
    failed: ({ message }) => t(kind === 'post' ? 'postFailed' : 'commentFailed', { message }),
    onSuccess: () => {
      onClose();
      // The page of the post has nothing more to show.
      if (alone) void navigate(paths.home, { replace: true });
      return Promise.all([postsChanged(queryClient), communityLogChanged(queryClient, communityId)]);
    },
    onError: onClose,
  });
  const text = t(kind === 'post' ? 'removePostText' : 'removeCommentText', { name });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={() => !remove.isPending && onClose()}
      title={t(kind === 'post' ? 'removePostTitle' : 'removeCommentTitle')}
      text={text}
      action={t('remove')}
      destructive
      busy={remove.isPending}
      busyLabel={t('removing')}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    >
      <ReasonField value={reason} onChange={setReason} hint={t('reasonToAuthor')} />
    </ConfirmDialog>
  );
}
