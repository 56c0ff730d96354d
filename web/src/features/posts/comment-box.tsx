// The field for a new comment or reply.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { api, read } from '@/api/client';
import { keyPerBody } from '@/api/idempotency';
import { postsChanged } from '@/api/saved';
import type { Comment, Post, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { toast } from '@/ui/toast';
import { commentPlace, replyPlace } from './comment-draft';
import { CommentForm } from './comment-form';

interface CommentBoxProps {
  post: Pick<Post, 'id'>;
  user: User;
  /** The answered comment. */
  replyTo?: Comment;
  field?: Ref<HTMLTextAreaElement>;
  /** Absent for a box that is always open: it is empty again after a comment. */
  onClose?: () => void;
}

export function CommentBox({ post, user, replyTo, field, onClose }: CommentBoxProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  const place = replyTo ? replyPlace(replyTo.id) : commentPlace(post.id);
  // One key per text: a retry never posts the comment twice.
  const [keyOf, setKeyOf] = useState(keyPerBody);
  const comment = useMutation({
    mutationFn: ({ text }: { text: string; done: () => void }) =>
      read(
        api.POST('/api/posts/{id}/comments', {
          params: { path: { id: post.id } },
          body: { userId: user.id, content: text, ...(replyTo && { replyTo: replyTo.id }) },
          headers: { 'Idempotency-Key': keyOf(text) },
        }),
      ),
    onSuccess: (_, { done }) => {
      done();
      setKeyOf(keyPerBody);
      onClose?.();
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
        place={place}
        send={t('post')}
        busy={comment.isPending}
        {...(replyTo && {
          label: t('replyTo', { name: replyTo.user.fullName }),
          placeholder: t('writeReply', { name: replyTo.user.fullName }),
        })}
        field={field}
        onSend={(text, _, done) => comment.mutate({ text, done })}
        onClose={onClose}
      />
    </div>
  );
}
