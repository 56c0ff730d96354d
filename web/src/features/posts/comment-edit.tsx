// The field that changes a posted comment in its place.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { postsChanged } from '@/api/saved';
import type { Comment } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { CommentForm } from './comment-form';

interface CommentEditProps {
  comment: Comment;
  onClose: () => void;
}

interface Change {
  text: string;
  /** Removes the draft, when the field may be off the screen. */
  discard: () => void;
}

export function CommentEdit({ comment, onClose }: CommentEditProps) {
  const { t } = useTranslation('posts');
  const { id, content } = comment;
  const queryClient = useQueryClient();
  const change = useChange({
    mutationFn: ({ text }: Change) =>
      read(api.PATCH('/api/comments/{id}', { params: { path: { id } }, body: { content: text } })),
    failed: ({ message }) => t('changeCommentFailed', { message }),
    // The field shows the new text until the comment does.
    onSuccess: (_, { discard }) => postsChanged(queryClient).then(discard),
  });
  return (
    <CommentForm
      place={`edit comment ${id}`}
      posted={comment}
      send={t('saveChanges')}
      busy={change.isPending}
      onSend={(text, shown, discard) => {
        if (shown !== content) return change.mutate({ text, discard }, { onSuccess: onClose });
        discard();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
