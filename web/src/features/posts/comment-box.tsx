// The field for a new comment or reply.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { keyPerBody } from '@/api/idempotency';
import { postsChanged } from '@/api/saved';
import type { Comment, Post, User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { toast } from '@/ui/toast';
import { commentPlace, replyPlace } from './comment-draft';
import { CommentForm } from './comment-form';
import { sendOrQueue } from './send-or-queue';

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
  const frame = useRef<HTMLDivElement>(null);
  /** The focus returns to the button that opened the box, unless the member has moved it elsewhere. */
  const close =
    onClose &&
    (() => {
      const isHere =
        frame.current?.contains(document.activeElement) || document.activeElement === document.body;
      if (isHere) openerOf(frame.current)?.focus({ preventScroll: true });
      onClose();
    });
  const comment = useMutation({
    mutationFn: ({ text, shown }: { text: string; shown: string; done: () => void }) => {
      const body = { userId: user.id, content: text, ...(replyTo && { replyTo: replyTo.id }) };
      const posting = { kind: 'comment' as const, postId: post.id, body };
      return sendOrQueue(queryClient, user.id, { posting, shown, key: keyOf(text) });
    },
    // Without a network it fails at once, instead of waiting in the memory of this page.
    networkMode: 'always',
    onSuccess: (result, { done }) => {
      done();
      setKeyOf(keyPerBody);
      close?.();
      if (result !== 'waiting') return postsChanged(queryClient);
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('commentFailed', { message }),
        variant: 'destructive',
      }),
  });

  return (
    <div ref={frame} className="flex gap-3">
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
        onSend={(text, shown, done) => comment.mutate({ text, shown, done })}
        onClose={close}
      />
    </div>
  );
}

/** Reply of the thread that the box belongs to, otherwise Comment of the post. */
function openerOf(frame: HTMLElement | null): HTMLElement | null | undefined {
  const scope = frame?.closest('li, article');
  return scope?.querySelector<HTMLElement>(
    scope.matches('li') ? '[data-reply]' : '[data-shortcut="comment"]',
  );
}
