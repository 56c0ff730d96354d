// Share: repost without or with text, or copy the address.
import { useQueryClient } from '@tanstack/react-query';
import { Link as LinkIcon, PencilLine, Repeat2, Share2 } from 'lucide-react';
import { useState } from 'react';
import { keyPerBody } from '@/api/idempotency';
import { publishKey } from '@/api/new-posts';
import type { Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import type { MenuAction } from '@/ui/action-menu';
import { lazy } from '@/ui/lazy';
import { OnDemand } from '@/ui/on-demand';
import { toast } from '@/ui/toast';
import { useOpening } from '@/ui/use-opening';
import { PostAction } from './post-action';
import { postAddress } from './post-address';
import { useCopyLink } from './use-copy-link';

const ActionMenu = lazy(async () => (await import('@/ui/action-menu')).ActionMenu);
const ComposerDialog = lazy(async () => (await import('./composer-dialog')).ComposerDialog);

export function ShareAction({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const composing = useOpening();
  const repost = useRepost(post);
  const copyLink = useCopyLink();

  const member = (act: () => void) => () => {
    if (user) act();
    else toast({ title: t('signInRequired'), description: t('signInToShare'), variant: 'info' });
  };
  const actions: MenuAction[] = [
    // Posts of a community cannot be shared outside it.
    ...(post.community
      ? []
      : [
          { icon: Repeat2, label: t('repost'), act: member(() => repost.mutate()) },
          { icon: PencilLine, label: t('repostWithWords'), act: member(composing.open) },
        ]),
    { icon: LinkIcon, label: t('copyLink'), act: () => copyLink(postAddress(post.id)) },
  ];

  return (
    <>
      <OnDemand
        load={ActionMenu.load}
        floating={(trigger) => <ActionMenu actions={actions} trigger={trigger} />}
      >
        {(handlers) => (
          <PostAction icon={Share2} aria-haspopup="menu" {...handlers}>
            {t('share')}
          </PostAction>
        )}
      </OnDemand>
      {user && composing.nr > 0 && (
        <ComposerDialog
          key={composing.nr}
          user={user}
          repost={post}
          open={composing.isOpen}
          onOpenChange={composing.close}
        />
      )}
    </>
  );
}

/** Reposts without text. */
function useRepost(post: Post) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const [keyOf] = useState(keyPerBody);
  return useChange({
    mutationKey: publishKey,
    mutationFn: async () => {
      const { repost } = await import('./repost');
      return repost(queryClient, user?.id ?? '', post.id, keyOf);
    },
    // Without a network it fails at once, instead of waiting in the memory of this page.
    networkMode: 'always',
    failed: ({ message }) => t('repostFailed', { message }),
  });
}
