// The field for a new comment or reply.
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { keyPerBody } from '@/api/idempotency';
import { postsChanged } from '@/api/saved';
import type { Comment, Post, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Avatar } from '@/ui/avatar';
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

interface Written {
  text: string;
  shown: string;
  /** Removes the draft, when the box may be off the screen. */
  done: () => void;
}

export function CommentBox({ post, user, replyTo, field, onClose }: CommentBoxProps) {
  const { t } = useTranslation('posts');
  const queryClient = useQueryClient();
  const place = replyTo ? replyPlace(replyTo.id) : commentPlace(post.id);
  // One key per text: a retry never posts the comment twice.
  const [keyOf, setKeyOf] = useState(keyPerBody);
  const mutationKey = ['comment', place];
  const sending = useIsMutating({ mutationKey });
  /** A box of this place that is off the screen still sends: its text, which this one shows as a draft, must not be sent twice. */
  const [waits, setWaits] = useState(sending > 0);
  if (waits && sending === 0) setWaits(false);
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
  const comment = useChange({
    mutationKey,
    mutationFn: ({ text, shown }: Written) => {
      const body = { userId: user.id, content: text, ...(replyTo && { replyTo: replyTo.id }) };
      const posting = { kind: 'comment' as const, postId: post.id, body };
      return sendOrQueue(queryClient, user.id, { posting, shown, key: keyOf(text) });
    },
    // Without a network it fails at once, instead of waiting in the memory of this page.
    networkMode: 'always',
    failed: ({ message }) => t('commentFailed', { message }),
    onSuccess: (result, { done }) => {
      done();
      setKeyOf(keyPerBody);
      if (result !== 'waiting') void postsChanged(queryClient);
    },
  });

  return (
    <div ref={frame} className="flex gap-3">
      <Avatar user={user} size={32} decorative />
      <CommentForm
        // Reads the draft again, which the other box has removed if it was sent.
        key={String(waits)}
        place={place}
        send={t('post')}
        busy={waits || comment.isPending}
        {...(replyTo && {
          label: t('replyTo', { name: replyTo.user.fullName }),
          placeholder: t('writeReply', { name: replyTo.user.fullName }),
        })}
        field={field}
        // Not called after the box has left the screen: it would close another one.
        onSend={(text, shown, done) => comment.mutate({ text, shown, done }, { onSuccess: close })}
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
