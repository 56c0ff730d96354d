// The members of a community, owners first. Owners change roles; owners and moderators remove members.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { communityMembersQuery } from '@/api/queries';
import type { CommunityDetails } from '@/api/schema.gen';
import { PersonName } from '@/features/network/person-name';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import { MemberMenu } from './member-menu';
import { RoleBadge } from './role-badge';
import { moderates } from './roles';

export function Members({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation('communities');
  const { user } = useAuth();
  const me = moderates(community) ? user?.id : undefined;
  return (
    <PagedCard
      query={useInfiniteQuery(communityMembersQuery(community.id))}
      skeleton={<MemberSkeletons />}
      failed={t('membersFailed')}
      more={t('moreMembers')}
      empty={<EmptyCard icon={Users} title={t('noMembers')} />}
      label={t('tab.members')}
    >
      {(member) => (
        <li key={member.user.id} className="flex items-center gap-3.5 px-4 py-3.5 md:px-5">
          <Avatar user={member.user} size={44} decorative />
          <div className="min-w-0 flex-1">
            <PersonName person={member.user} />
          </div>
          {member.role !== 'member' && <RoleBadge of={member.role} />}
          {me && <MemberMenu community={community} member={member} me={me} />}
        </li>
      )}
    </PagedCard>
  );
}

function MemberSkeletons() {
  return (
    <LoadingRows className="card divide-y" row="flex items-center gap-3.5 px-4 py-3.5 md:px-5">
      <Skeleton className="size-11 rounded-full!" />
      <Bars className="flex-1 space-y-2" of={['h-3.5 w-40', 'h-3 w-60 max-w-full']} />
    </LoadingRows>
  );
}
