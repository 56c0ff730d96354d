// The items of the menu of another member's post: hide, mute, and the reasons for the post.
import { EyeOff, Info, VolumeX } from 'lucide-react';
import { useLocation } from 'react-router';
import type { Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { ActionItem } from '@/ui/menu';
import { toast } from '@/ui/toast';
import type { FeedQuestion } from './feed-dialog';
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
  const hide = () =>
    hiding.mutate(false, {
      onSuccess: () => {
        // At home the place of the post shows it, and offers to see less like it.
        if (pathname !== paths.home)
          toast({
            title: t('hidden'),
            description: t('hiddenElsewhere'),
            variant: 'success',
            action: { label: t('undo'), onClick: () => hiding.mutate(null) },
          });
      },
    });
  return (
    <>
      <ActionItem icon={EyeOff} act={hide}>
        {t('hide')}
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
