// 'Your Legal Communities': the first three of the member's own, with an icon that depends on the name.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { knownItems, totalOf } from '@/api/pages';
import { communitiesQuery } from '@/api/queries';
import type { Community } from '@/api/schema.gen';
import { communityIcon } from '@/features/communities/icon';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { RailCard, RailSkeleton } from './rail-card';

const shownAtMost = 3;

export function CommunitiesCard() {
  const { t } = useTranslation('home');
  const { data, isPending, refetch } = useInfiniteQuery(communitiesQuery);
  // Of all communities, as the link leads to all of them.
  const count = totalOf(data) ?? 0;
  // The member's own come first in the list.
  const own = knownItems(data?.pages[0])?.filter(({ role }) => role);
  return (
    <RailCard
      title={t('communities')}
      items={own?.slice(0, shownAtMost)}
      isPending={isPending}
      skeleton={<RailSkeleton className="mt-3 space-y-1" row="min-h-12 py-1.5" picture="size-9" />}
      empty={t('noCommunities')}
      onRetry={refetch}
      footer={
        (count > shownAtMost || (count > 0 && own?.length === 0)) && (
          <Link to={paths.communities} className="link reach mt-2.5 inline-block text-caption font-medium">
            {count > shownAtMost ? t('showAll', { count }) : t('findCommunities')}
          </Link>
        )
      }
    >
      {(communities) => (
        <ul className="mt-3 space-y-1">
          {communities.map((community) => (
            <CommunityRow key={community.id} community={community} />
          ))}
        </ul>
      )}
    </RailCard>
  );
}

function CommunityRow({ community: { id, name, memberCount } }: { community: Community }) {
  const { t } = useTranslation('home');
  useLiveTopic(`community ${id}`);
  const Icon = communityIcon(name);
  return (
    <li>
      <Link
        to={paths.community(id)}
        className="-mx-2 flex items-center gap-3 rounded-md px-2 py-1.5 hover:bg-hover"
      >
        <span className="grid size-9 shrink-0 place-items-center rounded-md bg-muted text-gold-text">
          <Icon className="icon" />
        </span>
        <span className="min-w-0">
          <span dir="auto" className="block text-ui font-medium text-pretty wrap-anywhere">
            {name}
          </span>
          <span className="block text-micro text-muted-foreground tabular-nums">
            {t('members', { count: memberCount })}
          </span>
        </span>
      </Link>
    </li>
  );
}
