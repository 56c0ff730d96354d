// Follow or Following on a profile.
import { useQuery } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { followQuery } from '@/api/feed-control';
import { connectionQuery } from '@/api/queries';
import type { Author, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { ToggleButton } from '@/ui/toggle-button';
import { useFollowing } from './use-following';

/** Nothing for a connection, who is followed by being one. */
export function FollowMemberButton({ me, person }: { me: User; person: Author }) {
  const { t } = useTranslation('feeds');
  const { data: connection, isPending } = useQuery(connectionQuery(me.id, person.id));
  const { data: follow } = useQuery(followQuery(person.id));
  const following = useFollowing(person);
  const isFollowed = follow?.followed ?? false;
  if (isPending || (connection?.status === 'accepted' && !isFollowed)) return null;
  const name = person.fullName;
  return (
    <ToggleButton
      isOn={isFollowed}
      on={{ icon: Check, label: t('following') }}
      off={{ icon: Plus, label: t('follow') }}
      variant="outline"
      size="md"
      aria-label={t(isFollowed ? 'followingNamed' : 'followNamed', { name })}
      aria-pressed={isFollowed}
      onClick={() => {
        if (!following.isPending) following.mutate(!isFollowed);
      }}
    />
  );
}
