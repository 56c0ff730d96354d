// The field for a new comment.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, read } from '@/api/client';
import { newIdempotencyKey } from '@/api/idempotency';
import { postsChanged } from '@/api/saved';
import type { Post, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { toast } from '@/ui/toast';
import { CommentForm } from './comment-form';

interface CommentBoxProps {
  post: Post;
  user: User;
  onClose: () => void;
}

export function CommentBox({ post, user, onClose }: CommentBoxProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  // One key per text: a retry never posts the comment twice.
  const key = useRef(newIdempotencyKey());
  const comment = useMutation({
    mutationFn: (text: string) =>
      read(
        api.POST('/api/posts/{id}/comments', {
          params: { path: { id: post.id } },
          body: { userId: user.id, content: text },
          headers: { 'Idempotency-Key': key.current },
        }),
      ),
    onSuccess: () => {
      onClose();
      return postsChanged(queryClient);
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('commentFailed', { message }),
        variant: 'destructive',
      }),
  });

  return (
    <div className="flex gap-3">
      <Avatar user={user} size={32} decorative />
      <CommentForm
        send={t('post')}
        busy={comment.isPending}
        onChange={() => {
          key.current = newIdempotencyKey();
        }}
        onSend={(content) => comment.mutate(content)}
        onClose={onClose}
      />
    </div>
  );
}
