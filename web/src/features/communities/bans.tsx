// The banned members of a community, each with the button that ends the ban.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { api } from '@/api/client';
import { communityBansQuery, communityModerated } from '@/api/community-moderation';
import type { CommunityBan, CommunityDetails } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { ManagePart } from './manage-part';
import { ManageRow } from './manage-row';
import { ManageSkeletons } from './manage-skeletons';

export function Bans({ community: { id } }: { community: CommunityDetails }) {
  const { t } = useTranslation('manage');
  return (
    <ManagePart title={t('bans')} hint={t('bansHint')}>
      <PagedCard
        query={useInfiniteQuery(communityBansQuery(id))}
        skeleton={<ManageSkeletons />}
        failed={t('bansFailed')}
        more={t('moreBans')}
        empty={<EmptyCard icon={ShieldCheck} title={t('noBans')} />}
      >
        {(ban) => (
          <ManageRow
            key={ban.user.id}
            user={ban.user}
            line={
              <>
                {ban.reason && `${t(`reasons.${ban.reason}`)}\u00a0·\u00a0`}
                <RelativeTime at={ban.bannedAt} />
              </>
            }
          >
            <EndBan communityId={id} ban={ban} />
          </ManageRow>
        )}
      </PagedCard>
    </ManagePart>
  );
}

function EndBan({ communityId, ban: { user } }: { communityId: string; ban: CommunityBan }) {
  const { t } = useTranslation('manage');
  const queryClient = useQueryClient();
  const unban = useChange({
    mutationFn: () =>
      api.DELETE('/api/communities/{id}/bans/{memberId}', {
        params: { path: { id: communityId, memberId: user.id } },
      }),
    done: () => ({ title: t('unbanned', { name: user.fullName }) }),
    failed: ({ message }) => t('unbanFailed', { message }),
    onSuccess: () => communityModerated(queryClient, communityId),
  });
  return (
    <Button
      variant="outline"
      size="sm"
      busy={unban.isPending}
      aria-label={t('unbanNamed', { name: user.fullName })}
      onClick={() => unban.mutate()}
    >
      {t('unban')}
    </Button>
  );
}
