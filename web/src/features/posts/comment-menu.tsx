// The menu of a comment: copy its link; edit and delete; for others the items of the person menu.
import { useQueryClient } from '@tanstack/react-query';
import { Link as LinkIcon, PencilLine, Trash2 } from 'lucide-react';
import { api, read } from '@/api/client';
import { postsChanged } from '@/api/saved';
import type { Comment, Post } from '@/api/schema.gen';
import { RemoveContent, RemoveContentItem } from '@/features/communities/content-removal';
import { PersonMenu } from '@/features/network/person-menu';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import type { MenuAction } from '@/ui/action-menu';
import { lazy } from '@/ui/lazy';
import { MoreMenu } from '@/ui/more-menu';
import { useOpening } from '@/ui/use-opening';
import { commentAddress } from './post-address';
import { useCopyLink } from './use-copy-link';

const ConfirmDialog = lazy(async () => (await import('@/ui/confirm-dialog')).ConfirmDialog);

interface CommentMenuProps {
  comment: Comment;
  post: Post;
  onEdit: () => void;
  className?: string;
}

/** Needs the texts of `posts` and `network`. */
export function CommentMenu({ comment, post, onEdit, className }: CommentMenuProps) {
  const { t } = useTranslation('posts');
  const { user: me } = useAuth();
  const asking = useOpening();
  const moderating = useOpening();
  const remove = useRemoval(comment.id);
  const copyLink = useCopyLink();
  const { user, replyCount } = comment;
  const copy: MenuAction = {
    icon: LinkIcon,
    label: t('copyLink'),
    act: () => copyLink(commentAddress(post.id, comment.id)),
  };
  const edit: MenuAction = { icon: PencilLine, label: t('editComment'), act: onEdit };
  const removal: MenuAction = { icon: Trash2, label: t('deleteComment'), act: asking.open };
  const labelOfOther = t('commentOptionsOf', { name: user.fullName });

  return (
    <>
      {me?.id === user.id ? (
        <MoreMenu label={t('commentOptions')} actions={[copy, edit, removal]} className={className} />
      ) : me ? (
        <PersonMenu
          person={user}
          // The author of a post may delete the comments on it.
          actions={me.id === post.user.id ? [copy, removal] : [copy]}
          last={
            post.community &&
            me.id !== post.user.id && <RemoveContentItem community={post.community} act={moderating.open} />
          }
          loads={post.community ? [RemoveContentItem.load] : []}
          reports={{ kind: 'comment', id: comment.id }}
          label={labelOfOther}
          size="sm"
          className={className}
        />
      ) : (
        <MoreMenu label={labelOfOther} actions={[copy]} className={className} />
      )}
      {post.community && moderating.nr > 0 && (
        <RemoveContent
          key={moderating.nr}
          kind="comment"
          id={comment.id}
          communityId={post.community.id}
          name={user.fullName}
          open={moderating.isOpen}
          onClose={moderating.close}
        />
      )}
      {asking.nr > 0 && (
        <ConfirmDialog
          open={asking.isOpen}
          onOpenChange={asking.close}
          title={t('deleteCommentTitle')}
          text={
            replyCount > 0 ? t('deleteCommentWithReplies', { count: replyCount }) : t('deleteCommentText')
          }
          action={t('delete')}
          destructive
          busy={remove.isPending}
          busyLabel={t('deleting')}
          onConfirm={() => remove.mutate(undefined, { onSettled: asking.close })}
        />
      )}
    </>
  );
}

function useRemoval(id: string) {
  const { t } = useTranslation('posts');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: () => read(api.DELETE('/api/comments/{id}', { params: { path: { id } } })),
    done: () => ({ title: t('commentDeleted') }),
    failed: ({ message }) => t('deleteCommentFailed', { message }),
    onSuccess: () => postsChanged(queryClient),
  });
}
