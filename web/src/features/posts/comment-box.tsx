// The field for a new comment.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, read } from '@/api/client';
import { newIdempotencyKey } from '@/api/idempotency';
import { postsChanged } from '@/api/saved';
import type { Post, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { textDraft, useDraft } from '@/session/drafts';
import { Avatar } from '@/ui/avatar';
import { DraftHint } from '@/ui/draft-hint';
import { toast } from '@/ui/toast';
import { commentPlace } from './comment-draft';
import { CommentForm } from './comment-form';

interface CommentBoxProps {
  post: Post;
  user: User;
  onClose: () => void;
}

export function CommentBox({ post, user, onClose }: CommentBoxProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  const draft = useDraft(commentPlace(post.id), textDraft);
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
      draft.change('');
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
        initial={draft.value}
        send={t('post')}
        busy={comment.isPending}
        onChange={(text) => {
          draft.change(text);
          key.current = newIdempotencyKey();
        }}
        hint={(content, change) => (
          <DraftHint
            value={content}
            empty=""
            isEmpty={textDraft.isEmpty(content)}
            onChange={change}
            className="mr-auto max-sm:basis-full"
          />
        )}
        onSend={(content) => comment.mutate(content)}
        onClose={onClose}
      />
    </div>
  );
}
