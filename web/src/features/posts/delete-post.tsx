// Deletes the member's own post after a confirmation.
import { useQueryClient } from '@tanstack/react-query';
import { useMatch, useNavigate } from 'react-router';
import { api } from '@/api/client';
import { isUnknown } from '@/api/error';
import { postsChanged } from '@/api/saved';
import type { Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useChange } from '@/session/use-change';
import { ConfirmDialog } from '@/ui/confirm-dialog';

interface DeletePostProps {
  post: Post;
  open: boolean;
  onClose: () => void;
}

export function DeletePost({ post, open, onClose }: DeletePostProps) {
  const { t } = useTranslation('posts');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const alone = useMatch(paths.post(post.id));
  const remove = useChange({
    mutationFn: async () => {
      try {
        await api.DELETE('/api/posts/{id}', { params: { path: { id: post.id } } });
      } catch (error) {
        // Already deleted, perhaps on another screen: counts as success.
        if (!isUnknown(error)) throw error;
      }
    },
    done: () => ({ title: t('postDeleted') }),
    failed: ({ message }) => t('deletePostFailed', { message }),
    onSuccess: () => {
      onClose();
      // The page of the post has nothing more to show.
      if (alone) void navigate(paths.home, { replace: true });
      return postsChanged(queryClient);
    },
    onError: onClose,
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={() => !remove.isPending && onClose()}
      title={t('deletePostTitle')}
      text={t('deletePostText')}
      action={t('delete')}
      destructive
      busy={remove.isPending}
      busyLabel={t('deleting')}
      onConfirm={() => remove.mutate()}
    />
  );
}
