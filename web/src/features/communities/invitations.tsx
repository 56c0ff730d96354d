// The unanswered invitations of a community, and the dialog that invites members.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Mail, UserPlus } from 'lucide-react';
import { api } from '@/api/client';
import { communityInvitationsQuery, communityModerated } from '@/api/community-moderation';
import type { CommunityDetails, CommunityInvitation } from '@/api/schema.gen';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { lazy } from '@/ui/lazy';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { useOpening } from '@/ui/use-opening';
import { ManagePart } from './manage-part';
import { ManageRow } from './manage-row';
import { ManageSkeletons } from './manage-skeletons';

const InviteDialog = lazy(async () => (await withTexts(import('./invite-dialog'), 'messages')).InviteDialog);

export function Invitations({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation('manage');
  const { user } = useAuth();
  const inviting = useOpening();
  const { id } = community;
  return (
    <ManagePart title={t('invitations')} hint={t('invitationsHint')}>
      <Button variant="outline" className="mb-3" aria-haspopup="dialog" onClick={inviting.open}>
        <UserPlus className="icon-sm" />
        {t('invite')}
      </Button>
      <PagedCard
        query={useInfiniteQuery(communityInvitationsQuery(id))}
        skeleton={<ManageSkeletons />}
        failed={t('invitationsFailed')}
        more={t('moreInvitations')}
        empty={<EmptyCard icon={Mail} title={t('noInvitations')} />}
      >
        {(invitation) => (
          <ManageRow
            key={invitation.user.id}
            user={invitation.user}
            line={
              <>
                {invitation.invitedBy
                  ? t('invitedBy', { name: invitation.invitedBy.fullName })
                  : t('invitedByFormer')}
                {'\u00a0·\u00a0'}
                <RelativeTime at={invitation.invitedAt} />
              </>
            }
          >
            <Withdraw communityId={id} invitation={invitation} />
          </ManageRow>
        )}
      </PagedCard>
      {inviting.nr > 0 && user && (
        <InviteDialog
          key={inviting.nr}
          me={user}
          community={community}
          open={inviting.isOpen}
          onClose={inviting.close}
        />
      )}
    </ManagePart>
  );
}

interface WithdrawProps {
  communityId: string;
  invitation: CommunityInvitation;
}

function Withdraw({ communityId, invitation: { user } }: WithdrawProps) {
  const { t } = useTranslation('manage');
  const queryClient = useQueryClient();
  const withdraw = useChange({
    mutationFn: () =>
      api.DELETE('/api/communities/{id}/invitations/{memberId}', {
        params: { path: { id: communityId, memberId: user.id } },
      }),
    done: () => ({ title: t('invitationWithdrawn', { name: user.fullName }) }),
    failed: ({ message }) => t('withdrawFailed', { message }),
    onSuccess: () => communityModerated(queryClient, communityId),
  });
  return (
    <Button
      variant="outline"
      size="sm"
      busy={withdraw.isPending}
      aria-label={t('withdrawNamed', { name: user.fullName })}
      onClick={() => withdraw.mutate()}
    >
      {t('withdraw')}
    </Button>
  );
}
