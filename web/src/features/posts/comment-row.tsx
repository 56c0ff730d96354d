// A comment: author, text, edited mark, and actions.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PencilLine, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { api, read } from '@/api/client';
import { postsChanged } from '@/api/saved';
import type { Comment, Post } from '@/api/types';
import { PersonMenu } from '@/features/network/person-menu';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import type { MenuAction } from '@/ui/action-menu';
import { Avatar } from '@/ui/avatar';
import { MoreMenu } from '@/ui/more-menu';
import { toast } from '@/ui/toast';
import { useOpening } from '@/ui/use-opening';
import { CommentForm } from './comment-form';
import { Edited } from './edited';

const ConfirmDialog = lazy(async () => ({ default: (await import('@/ui/confirm-dialog')).ConfirmDialog }));

/** Needs the texts of `posts` and `network`. */
export function CommentRow({ comment, post }: { comment: Comment; post: Post }) {
  const { t } = useTranslation('posts');
  const { user: me } = useAuth();
  const [editing, setEditing] = useState(false);
  const asking = useOpening();
  const { change, remove } = useCommentChanges(comment.id);
  const { user, content, editedAt } = comment;
  const isMine = me?.id === user.id;
  const edit: MenuAction = { icon: PencilLine, label: t('editComment'), act: () => setEditing(true) };
  const removal: MenuAction = { icon: Trash2, label: t('deleteComment'), act: asking.open };
  // The author of a post may delete the comments on it.
  const mayRemove = isMine || me?.id === post.user.id;

  if (editing)
    return (
      <li className="flex gap-3">
        <Avatar user={user} size={32} decorative />
        <CommentForm
          initial={content}
          send={t('saveChanges')}
          busy={change.isPending}
          onSend={(text) =>
            text === content ? setEditing(false) : change.mutate(text, { onSuccess: () => setEditing(false) })
          }
          onClose={() => setEditing(false)}
        />
      </li>
    );
  return (
    <li className="flex gap-3">
      <Avatar user={user} size={32} decorative />
      <div className="min-w-0 flex-1 rounded-lg rounded-tl-xs bg-muted px-3.5 py-2.5">
        <div className="flex items-start gap-2">
          <p className="min-w-0 flex-1 text-caption">
            <Link to={paths.profile(user.id)} className="font-semibold hover:underline">
              {user.fullName}
            </Link>
            {editedAt && (
              <span className="text-micro text-muted-foreground">
                {' · '}
                <Edited at={editedAt} />
              </span>
            )}
          </p>
          {isMine ? (
            <MoreMenu label={t('commentOptions')} actions={[edit, removal]} className="-my-1.5 -mr-2" />
          ) : (
            me && (
              <PersonMenu
                person={user}
                actions={mayRemove ? [removal] : []}
                reports={{ kind: 'comment', id: comment.id }}
                label={t('commentOptionsOf', { name: user.fullName })}
                size="sm"
                className="-my-1.5 -mr-2"
              />
            )
          )}
        </div>
        <p className="mt-0.5 whitespace-pre-line text-ui wrap-anywhere">{content}</p>
      </div>
      {asking.nr > 0 && (
        <Suspense>
          <ConfirmDialog
            open={asking.isOpen}
            onOpenChange={asking.close}
            title={t('deleteCommentTitle')}
            text={t('deleteCommentText')}
            action={t('delete')}
            destructive
            busy={remove.isPending}
            busyLabel={t('deleting')}
            onConfirm={() => remove.mutate(undefined, { onSettled: asking.close })}
          />
        </Suspense>
      )}
    </li>
  );
}

function useCommentChanges(id: string) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  const params = { path: { id } };
  const failed = (text: string) =>
    toast({ title: t('shell:error'), description: text, variant: 'destructive' });
  const change = useMutation({
    mutationFn: (content: string) => read(api.PATCH('/api/comments/{id}', { params, body: { content } })),
    onSuccess: () => postsChanged(queryClient),
    onError: ({ message }) => failed(t('changeCommentFailed', { message })),
  });
  const remove = useMutation({
    mutationFn: () => read(api.DELETE('/api/comments/{id}', { params })),
    onSuccess: () => {
      toast({ title: t('commentDeleted'), variant: 'success' });
      return postsChanged(queryClient);
    },
    onError: ({ message }) => failed(t('deleteCommentFailed', { message })),
  });
  return { change, remove };
}
