// The members of a community, owners first. Owners change roles; owners and moderators remove members.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { communityMembersQuery } from '@/api/queries';
import type { CommunityDetails } from '@/api/schema.gen';
import { PersonName } from '@/features/network/person-name';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { PagedList } from '@/ui/paged-list';
import { Loading, Skeleton } from '@/ui/skeleton';
import { MemberMenu } from './member-menu';
import { RoleBadge } from './role-badge';
import { moderates } from './roles';

export function Members({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation('communities');
  const { user } = useAuth();
  const me = moderates(community) ? user?.id : undefined;
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
                {member.role !== 'member' && <RoleBadge of={member.role} />}
                {me && <MemberMenu community={community} member={member} me={me} />}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </PagedList>
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
