// The menu of a post: save; edit and delete the member's own; for others the items of the person menu.
import { Bookmark, PencilLine, Trash2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Post } from '@/api/types';
import { PersonMenu } from '@/features/network/person-menu';
import { useSaving } from '@/features/saved/use-saving';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import type { MenuAction } from '@/ui/action-menu';
import { MoreMenu } from '@/ui/more-menu';
import { useOpening } from '@/ui/use-opening';

const EditDialog = lazy(async () => ({ default: (await import('./edit-dialog')).EditDialog }));
const DeletePost = lazy(async () => ({ default: (await import('./delete-post')).DeletePost }));

/** Needs the texts of `posts`, `network` and `saved`. */
export function PostMenu({ post, className }: { post: Post; className?: string }) {
  const { t } = useTranslation(['posts', 'saved']);
  const { user } = useAuth();
  const { saved, toggle } = useSaving({ kind: 'post', id: post.id });
  const editing = useOpening();
  const deleting = useOpening();
  const save: MenuAction = { icon: Bookmark, label: t(saved ? 'saved:unsave' : 'saved:save'), act: toggle };
  if (user?.id !== post.user.id)
    return (
      <PersonMenu
        person={post.user}
        connects
        actions={[save]}
        reports={{ kind: 'post', id: post.id }}
        size="sm"
        className={className}
      />
    );
  const own: MenuAction[] = [
    save,
    // A repost without text cannot be edited.
    ...(post.repost && !post.content ? [] : [{ icon: PencilLine, label: t('editPost'), act: editing.open }]),
    { icon: Trash2, label: t('deletePost'), act: deleting.open },
  ];
  return (
    <>
      <MoreMenu label={t('postOptions')} actions={own} className={className} />
      <Suspense>
        {editing.nr > 0 && (
          <EditDialog key={editing.nr} post={post} open={editing.isOpen} onClose={editing.close} />
        )}
        {deleting.nr > 0 && <DeletePost post={post} open={deleting.isOpen} onClose={deleting.close} />}
      </Suspense>
    </>
  );
}
