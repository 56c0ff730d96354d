// The Like button of a post.
import { useTranslation } from '@/i18n/use-translation';
import { PostAction } from './post-action';
import { ReactionControl } from './reaction-control';
import { reactionIcon } from './reactions';
import type { Reaction } from './use-reaction';

export function ReactionAction({ mine, set }: Pick<Reaction, 'mine' | 'set'>) {
  const { t } = useTranslation('posts');
  return (
    <ReactionControl mine={mine} set={set} openerClassName="right-0">
      {(button) => (
        <PostAction
          icon={reactionIcon(mine ?? 'like')}
          iconClassName={mine ? 'animate-like fill-gold/30' : ''}
          data-shortcut="like"
          {...button}
        >
          {t(`reaction.${mine ?? 'like'}`)}
        </PostAction>
      )}
    </ReactionControl>
  );
}
