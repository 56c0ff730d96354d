// The requests to join a community, each with the buttons that approve or decline it.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { api } from '@/api/client';
import { communityModerated, communityRequestsQuery } from '@/api/community-moderation';
import type { CommunityJoinRequest } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { isDoublePress } from '@/ui/double-press';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { ManagePart } from './manage-part';
import { ManageRow } from './manage-row';
import { ManageSkeletons } from './manage-skeletons';

export function JoinRequests({ communityId }: { communityId: string }) {
  const { t } = useTranslation('manage');
  return (
    <ManagePart title={t('requests')} hint={t('requestsHint')}>
      <PagedCard
        query={useInfiniteQuery(communityRequestsQuery(communityId))}
        skeleton={<ManageSkeletons />}
        failed={t('requestsFailed')}
        more={t('moreRequests')}
        empty={<EmptyCard icon={UserPlus} title={t('noRequests')} />}
      >
        {(request) => (
          <ManageRow
            key={request.user.id}
            user={request.user}
            line={<RelativeTime at={request.requestedAt} />}
          >
            <Answer communityId={communityId} request={request} />
          </ManageRow>
        )}
      </PagedCard>
    </ManagePart>
  );
}

function Answer({ communityId, request: { user } }: { communityId: string; request: CommunityJoinRequest }) {
  const { t } = useTranslation('manage');
  const queryClient = useQueryClient();
  const answer = useChange({
    mutationFn: (approve: boolean) => {
      const params = { path: { id: communityId, memberId: user.id } };
      return approve
        ? api.PUT('/api/communities/{id}/requests/{memberId}', { params })
        : api.DELETE('/api/communities/{id}/requests/{memberId}', { params });
    },
    done: (_, approve) => ({ title: t(approve ? 'approved' : 'declined', { name: user.fullName }) }),
    failed: ({ message }) => t('answerFailed', { message }),
    onSuccess: () => communityModerated(queryClient, communityId),
    onError: () => {
      // The member may have withdrawn the request, or another moderator answered it.
      return communityModerated(queryClient, communityId);
    },
  });
  return (
    <div className="flex gap-2">
      <Button
        size="sm"
        busy={answer.isPending && answer.variables}
        aria-label={t('approveNamed', { name: user.fullName })}
        onClick={(event) => !answer.isPending && !isDoublePress(event) && answer.mutate(true)}
      >
        {t('approve')}
      </Button>
      <Button
        variant="outline"
        size="sm"
        busy={answer.isPending && !answer.variables}
        aria-label={t('declineNamed', { name: user.fullName })}
        onClick={(event) => !answer.isPending && !isDoublePress(event) && answer.mutate(false)}
      >
        {t('decline')}
      </Button>
    </div>
  );
}
