// Joins a community or asks to join, and leaves it, withdraws the request or declines the invitation: optimistic, reverted with a
// toast when the server refuses.
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import {
  communityGone,
  expectedMembership,
  membershipChanged,
  membershipKey,
  updateCommunity,
} from '@/api/communities';
import type { Community, CommunityDetails } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useChange } from '@/session/use-change';
import { toast } from '@/ui/toast';

export function useMembership(community: Community) {
  const { t } = useTranslation(['communities', 'shell']);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { id, name } = community;
  const params = { path: { id } };
  // An undone change is not announced again.
  const isUndo = useRef(false);
  const change = useChange({
    mutationKey: membershipKey(id),
    mutationFn: (join: boolean): Promise<CommunityDetails | undefined> =>
      join
        ? read(api.PUT('/api/communities/{id}/membership', { params }))
        : read(api.DELETE('/api/communities/{id}/membership', { params })),
    failed: ({ message }, join) => t(join ? 'joinFailed' : 'leaveFailed', { message }),
    onMutate: (join) => {
      const { role, memberCount, standing } = community;
      updateCommunity(queryClient, id, expectedMembership(community, join));
      return { role, memberCount, standing };
    },
    onSuccess: (changed, join, before) => {
      if (changed) membershipChanged(queryClient, changed);
      else {
        // A private community: the member does not see it any more.
        if (pathname === paths.community(id)) void navigate(paths.communities);
        communityGone(queryClient, id);
      }
      if (isUndo.current) return;
      // An owner or moderator who leaves does not regain the role by joining, and an invitation is not regained at all.
      const isReversible =
        before?.role !== 'owner' &&
        before?.role !== 'moderator' &&
        before?.standing !== 'invited' &&
        (community.joining === 'open' || (community.joining === 'request' && !before?.role));
      toast({
        title: t(outcome(join, changed, before), { name }),
        variant: 'success',
        action: isReversible ? { label: t('shell:undo'), onClick: () => set(!join, true) } : undefined,
      });
    },
    onError: (_error, _input, before) => updateCommunity(queryClient, id, before ?? {}),
  });
  const set = (join: boolean, undo = false) => {
    isUndo.current = undo;
    change.mutate(join);
  };
  return { set, isPending: change.isPending };
}

type Before = Pick<Community, 'role' | 'standing'> | undefined;

/** The key of the sentence that confirms a change. */
function outcome(join: boolean, changed: CommunityDetails | undefined, before: Before) {
  if (join) return changed?.role ? 'joinedNow' : 'requestedNow';
  if (before?.role) return 'leftNow';
  return before?.standing === 'invited' ? 'declinedNow' : 'withdrawnNow';
}
