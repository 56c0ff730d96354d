// The field that changes a posted comment in its place.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { postsChanged } from '@/api/saved';
import type { Comment } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';
import { CommentForm } from './comment-form';

interface CommentEditProps {
  comment: Comment;
  onClose: () => void;
}

export function CommentEdit({ comment, onClose }: CommentEditProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const { id, content } = comment;
  const change = useChange(id);
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

interface Change {
  text: string;
  /** Removes the draft, when the field may be off the screen. */
  discard: () => void;
}

function useChange(id: string) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ text }: Change) =>
      read(api.PATCH('/api/comments/{id}', { params: { path: { id } }, body: { content: text } })),
    // The field shows the new text until the comment does.
    onSuccess: (_, { discard }) => postsChanged(queryClient).then(discard),
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('changeCommentFailed', { message }),
        variant: 'destructive',
      }),
  });
}
