// The menu of a post: save; edit and delete the member's own; for others what the member controls in their feeds, and the items of
// the person menu.
import { Bookmark, Info, PencilLine, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Post } from '@/api/schema.gen';
import { RemoveContent, RemoveContentItem } from '@/features/communities/content-removal';
import type { FeedQuestion } from '@/features/feed-control/feed-dialog';
import { PersonMenu } from '@/features/network/person-menu';
import { useSaving } from '@/features/saved/use-saving';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import type { MenuAction } from '@/ui/action-menu';
import { lazy } from '@/ui/lazy';
import { MoreMenu } from '@/ui/more-menu';
import { useDialog } from '@/ui/use-dialog';
import { useOpening } from '@/ui/use-opening';

const EditDialog = lazy(async () => (await import('./edit-dialog')).EditDialog);
const DeletePost = lazy(async () => (await import('./delete-post')).DeletePost);
const FeedItems = lazy(
  async () => (await withTexts(import('@/features/feed-control/feed-items'), 'feeds')).FeedItems,
);
const FeedDialog = lazy(
  async () => (await withTexts(import('@/features/feed-control/feed-dialog'), 'feeds')).FeedDialog,
);

/** Needs the texts of `posts`, `network` and `saved`. */
export function PostMenu({ post, className }: { post: Post; className?: string }) {
  const { t } = useTranslation(['posts', 'saved']);
  const { user } = useAuth();
  const { saved, toggle } = useSaving({ kind: 'post', id: post.id });
  const editing = useDialog(EditDialog, { post });
  const deleting = useOpening();
  const removing = useOpening();
  const [question, setQuestion] = useState<FeedQuestion>('why');
  const asking = useDialog(FeedDialog, { post, question });
  const ask = (asked: FeedQuestion) => {
    setQuestion(asked);
    asking.open();
  };
  const save: MenuAction = { icon: Bookmark, label: t(saved ? 'saved:unsave' : 'saved:save'), act: toggle };
  if (user?.id !== post.user.id)
    return (
      <>
        <PersonMenu
          person={post.user}
          connects
          actions={[save]}
          also={<FeedItems post={post} onAsk={ask} />}
          last={
            user && post.community && <RemoveContentItem community={post.community} act={removing.open} />
          }
          loads={[FeedItems.load, ...(post.community ? [RemoveContentItem.load] : [])]}
          reports={{ kind: 'post', id: post.id }}
          size="sm"
          className={className}
        />
        {asking.dialog}
        {post.community && removing.nr > 0 && (
          <RemoveContent
            key={removing.nr}
            kind="post"
            id={post.id}
            communityId={post.community.id}
            name={post.user.fullName}
            open={removing.isOpen}
            onClose={removing.close}
          />
        )}
      </>
    );
  const own: MenuAction[] = [
    save,
    // A repost without text cannot be edited.
    ...(post.repost && !post.content ? [] : [{ icon: PencilLine, label: t('editPost'), act: editing.open }]),
    { icon: Info, label: t('why'), act: () => ask('why') },
    { icon: Trash2, label: t('deletePost'), act: deleting.open },
  ];
  return (
    <>
      <MoreMenu label={t('postOptions')} actions={own} className={className} />
      {editing.dialog}
      {deleting.nr > 0 && <DeletePost post={post} open={deleting.isOpen} onClose={deleting.close} />}
      {asking.dialog}
    </>
  );
}
