// The members of a community, owners first. Owners can change roles.
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Users } from 'lucide-react';
import { api, read } from '@/api/client';
import { updateRole } from '@/api/communities';
import { communityMembersQuery } from '@/api/queries';
import type { CommunityDetails, CommunityMember, CommunityRole } from '@/api/types';
import { PersonName } from '@/features/network/person-name';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { Menu, MenuItem } from '@/ui/menu';
import { PagedList } from '@/ui/paged-list';
import { Loading, Skeleton } from '@/ui/skeleton';
import { toast } from '@/ui/toast';
import { RoleBadge } from './role-badge';

export function Members({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation('communities');
  const { user } = useAuth();
  const me = community.role === 'owner' ? user?.id : undefined;
  return (
    <PagedList
      query={useInfiniteQuery(communityMembersQuery(community.id))}
      skeleton={<MemberSkeletons />}
      failed={t('membersFailed')}
      more={t('moreMembers')}
      empty={
        <Card>
          <Empty icon={Users} title={t('noMembers')} />
        </Card>
      }
    >
      {(members) => (
        <Card aria-label={t('tab.members')}>
          <ul className="divide-y">
            {members.map((member) => (
              <li key={member.user.id} className="flex items-center gap-3.5 px-4 py-3.5 md:px-5">
                <Avatar user={member.user} size={44} decorative />
                <div className="min-w-0 flex-1">
                  <PersonName person={member.user} />
                </div>
                {member.role === 'owner' && <RoleBadge of="owner" />}
                {me && <RoleMenu communityId={community.id} member={member} me={me} />}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </PagedList>
  );
}

interface RoleMenuProps {
  communityId: string;
  member: CommunityMember;
  /** The signed-in owner. */
  me: string;
}

function RoleMenu({ communityId, member: { user, role }, me }: RoleMenuProps) {
  const { t } = useTranslation(['communities', 'shell']);
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (next: CommunityRole) =>
      read(
        api.PATCH('/api/communities/{id}/members/{memberId}', {
          params: { path: { id: communityId, memberId: user.id } },
          body: { role: next },
        }),
      ),
    onSuccess: (changed) => updateRole(queryClient, communityId, changed, me),
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('roleFailed', { message }),
        variant: 'destructive',
      }),
  });
  const next = role === 'owner' ? 'member' : 'owner';
  return (
    <Menu
      trigger={
        <Button
          variant="ghost"
          iconOnly
          className="-mr-2"
          aria-label={t('optionsFor', { name: user.fullName })}
        >
          <Ellipsis className="icon" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => change.mutate(next)} disabled={change.isPending}>
        {t(`make.${next}`)}
      </MenuItem>
    </Menu>
  );
}

function MemberSkeletons() {
  return (
    <Loading className="card divide-y">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-center gap-3.5 px-4 py-3.5 md:px-5">
          <Skeleton className="size-11 rounded-full!" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-3.5 w-40" />
            <Skeleton className="h-3 w-60 max-w-full" />
          </div>
        </div>
      ))}
    </Loading>
  );
}
