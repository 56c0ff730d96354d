// Follows or unfollows a topic: optimistic, reverted with a toast when the server refuses.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { api, read } from '@/api/client';
import { topicsQuery, updateFollowed } from '@/api/topics';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { toast } from '@/ui/toast';
import { ToggleButton } from '@/ui/toggle-button';

export function FollowButton({ topic }: { topic: string }) {
  const { t } = useTranslation('topics');
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const { data: topics } = useQuery(topicsQuery);
  const params = { path: { topic } };
  const change = useChange({
    mutationFn: (follow: boolean) =>
      follow
        ? read<unknown>(api.PUT('/api/topics/{topic}/follow', { params }))
        : read<unknown>(api.DELETE('/api/topics/{topic}/follow', { params })),
    failed: ({ message }, follow) => t(follow ? 'followFailed' : 'unfollowFailed', { message }),
    onMutate: (follow) => updateFollowed(queryClient, topic, follow),
    // The list that loaded meanwhile may be older than the press.
    onSuccess: () => topics || queryClient.invalidateQueries(topicsQuery),
    onError: (_, follow) => updateFollowed(queryClient, topic, !follow),
  });
  const isFollowed = change.isPending ? change.variables : (topics?.followed.includes(topic) ?? false);
  return (
    <ToggleButton
      isOn={isFollowed}
      on={{ icon: Check, label: t('following') }}
      off={{ icon: Plus, label: t('follow') }}
      variant={isFollowed ? 'outline' : 'primary'}
      size="md"
      aria-label={t(isFollowed ? 'followingNamed' : 'followNamed', { topic })}
      aria-pressed={isFollowed}
      onClick={() => {
        if (!user) toast({ title: t('signInRequired'), description: t('signInToFollow'), variant: 'info' });
        // Before the list is loaded the button says Follow, which does no harm to one who does.
        else if (!change.isPending) change.mutate(!isFollowed);
      }}
    />
  );
}
