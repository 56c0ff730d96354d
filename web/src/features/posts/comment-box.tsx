// Where a comment is written: a small field with Cancel and Post.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, read } from '@/api/client';
import { newIdempotencyKey } from '@/api/idempotency';
import type { Post, User } from '@/api/types';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';

const maxLength = 2_000;

interface CommentBoxProps {
  post: Post;
  user: User;
  onClose: () => void;
}

export function CommentBox({ post, user, onClose }: CommentBoxProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  const [content, setContent] = useState('');
  // One key a text: repeating a request that was lost on the way never comments twice.
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
      return queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('commentFailed', { message }),
        variant: 'destructive',
      }),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (content.trim() && !comment.isPending) comment.mutate(content.trim());
  };

  return (
    <form onSubmit={submit} className="flex gap-3">
      <Avatar user={user} size={32} decorative />
      <div className="min-w-0 flex-1">
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the box opens because the member pressed Comment.
          autoFocus
          rows={2}
          maxLength={maxLength}
          aria-label={t('comment')}
          placeholder={t('writeComment')}
          className="input field-sizing-content min-h-(--comment-min)"
          value={content}
          onChange={(event) => {
            setContent(event.target.value);
            key.current = newIdempotencyKey();
          }}
        />
        <div className="mt-2 flex justify-end gap-2">
          <Button variant="ghost" size="sm" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" size="sm" disabled={!content.trim() || comment.isPending}>
            {t('post')}
          </Button>
        </div>
      </div>
    </form>
  );
}
