// Deletes the member's own post after a confirmation.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMatch, useNavigate } from 'react-router';
import { api } from '@/api/client';
import { isUnknown } from '@/api/error';
import { postsChanged } from '@/api/saved';
import type { Post } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { toast } from '@/ui/toast';

interface DeletePostProps {
  post: Post;
  open: boolean;
  onClose: () => void;
}

export function DeletePost({ post, open, onClose }: DeletePostProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const alone = useMatch(paths.post(post.id));
  const remove = useMutation({
    mutationFn: async () => {
      try {
        await api.DELETE('/api/posts/{id}', { params: { path: { id: post.id } } });
      } catch (error) {
        // Already deleted, perhaps on another screen: counts as success.
        if (!(error instanceof Error && isUnknown(error))) throw error;
      }
    },
    onSuccess: () => {
      onClose();
      toast({ title: t('postDeleted'), variant: 'success' });
      // The page of the post has nothing more to show.
      if (alone) void navigate(paths.home, { replace: true });
      return postsChanged(queryClient);
    },
    onError: ({ message }) => {
      onClose();
      toast({
        title: t('shell:error'),
        description: t('deletePostFailed', { message }),
        variant: 'destructive',
      });
    },
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
