// The items of the menu of another member's post: follow, hide, not interested, mute, and the reasons for the post.
import { useQuery } from '@tanstack/react-query';
import { EyeOff, Info, ThumbsDown, UserCheck, UserPlus2, VolumeX } from 'lucide-react';
import { useLocation } from 'react-router';
import { followQuery } from '@/api/feed-control';
import { connectionQuery } from '@/api/queries';
import type { Post, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { ActionItem } from '@/ui/menu';
import { toast } from '@/ui/toast';
import type { FeedQuestion } from './feed-dialog';
import { useFollowing } from './use-following';
import { useHiding } from './use-hiding';

interface FeedItemsProps {
  post: Post;
  onAsk: (question: FeedQuestion) => void;
}

export function FeedItems({ post, onAsk }: FeedItemsProps) {
  const { t } = useTranslation('feeds');
  const { user } = useAuth();
  const { pathname } = useLocation();
  const hiding = useHiding(post.id);
  if (!user) return null;
  const hide = (notInterested: boolean) =>
    hiding.mutate(notInterested, {
      onSuccess: () => {
        // At home the place of the post shows it.
        if (pathname !== paths.home)
          toast({
            title: t(notInterested ? 'lowered' : 'hidden'),
            description: t('hiddenElsewhere'),
            variant: 'success',
            action: { label: t('undo'), onClick: () => hiding.mutate(null) },
          });
      },
    });
  return (
    <>
      <FollowItem me={user} post={post} />
      <ActionItem icon={EyeOff} act={() => hide(false)}>
        {t('hide')}
      </ActionItem>
      <ActionItem icon={ThumbsDown} act={() => hide(true)}>
        {t('notInterested')}
      </ActionItem>
      <ActionItem icon={VolumeX} act={() => onAsk('mute')}>
        {t('mute')}
      </ActionItem>
      <ActionItem icon={Info} act={() => onAsk('why')}>
        {t('why')}
      </ActionItem>
    </>
  );
}

/** Connections are followed by being connected. */
function FollowItem({ me, post }: { me: User; post: Post }) {
  const { t } = useTranslation('feeds');
  const { data: connection } = useQuery(connectionQuery(me.id, post.user.id));
  const { data: follow } = useQuery(followQuery(post.user.id));
  const following = useFollowing(post.user);
  const followed = follow?.followed ?? false;
  if (connection?.status === 'accepted' && !followed) return null;
  return (
    <ActionItem icon={followed ? UserCheck : UserPlus2} act={() => following.mutate(!followed)}>
      {t(followed ? 'unfollowNamed' : 'followNamed', { name: post.user.fullName })}
    </ActionItem>
  );
}
