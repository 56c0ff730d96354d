// The menu of a member of a community: roles and transfer for owners, removal also for moderators.
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { api, read } from '@/api/client';
import { updateRole } from '@/api/communities';
import { communityLogChanged } from '@/api/community-moderation';
import type { CommunityDetails, CommunityMember, CommunityRole } from '@/api/schema.gen';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { IconButton } from '@/ui/icon-button';
import { lazy } from '@/ui/lazy';
import { Menu, MenuItem } from '@/ui/menu';
import { useDialog } from '@/ui/use-dialog';

const RemoveMember = lazy(async () => (await withTexts(import('./remove-member'), 'manage')).RemoveMember);
const TransferCommunity = lazy(
  async () => (await withTexts(import('./transfer-community'), 'manage')).TransferCommunity,
);

const roles: readonly CommunityRole[] = ['owner', 'moderator', 'member'];

interface MemberMenuProps {
  community: CommunityDetails;
  member: CommunityMember;
  /** The signed-in owner or moderator. */
  me: string;
}

/** Renders nothing for a member that the viewer cannot change. */
export function MemberMenu({ community, member: { user, role }, me }: MemberMenuProps) {
  const { t } = useTranslation('communities');
  const queryClient = useQueryClient();
  const removing = useDialog(RemoveMember, { community, user });
  const transferring = useDialog(TransferCommunity, { community, user });
  const change = useChange({
    mutationFn: (next: CommunityRole) =>
      read(
        api.PATCH('/api/communities/{id}/members/{memberId}', {
          params: { path: { id: community.id, memberId: user.id } },
          body: { role: next },
        }),
      ),
    failed: ({ message }) => t('roleFailed', { message }),
    onSuccess: (changed) => {
      updateRole(queryClient, community.id, changed, me);
      return communityLogChanged(queryClient, community.id);
    },
  });
  const owns = community.role === 'owner';
  const removes = user.id !== me && (owns ? role !== 'owner' : role === 'member');
  if (!owns && !removes) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton icon={Ellipsis} className="-mr-2" label={t('optionsFor', { name: user.fullName })} />
        }
      >
        {owns &&
          roles
            .filter((next) => next !== role)
            .map((next) => (
              <MenuItem key={next} onSelect={() => change.mutate(next)} disabled={change.isPending}>
                {t(`make.${next}`)}
              </MenuItem>
            ))}
        {owns && role === 'moderator' && user.id !== me && (
          <MenuItem act={transferring.open}>{t('transfer')}</MenuItem>
        )}
        {removes && <MenuItem act={removing.open}>{t('removeMember')}</MenuItem>}
      </Menu>
      {removing.dialog}
      {transferring.dialog}
    </>
  );
}
