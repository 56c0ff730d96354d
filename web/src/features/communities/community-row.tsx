// A community in the list: icon, name, description, member count, and the join button.
import { Link } from 'react-router';
import type { Community } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { Highlight } from '@/ui/highlight';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';
import { AccessBadges } from './access-badges';
import { communityIcon } from './icon';
import { JoinButton } from './join-button';
import { RoleBadge } from './role-badge';

export function CommunityRow({ community }: { community: Community }) {
  const { t } = useTranslation('communities');
  const { id, name, description, memberCount, role } = community;
  useLiveTopic(`community ${id}`);
  const Icon = communityIcon(name);
  return (
    <li className="flex flex-wrap items-start gap-x-3.5 gap-y-3 px-4 py-4 md:px-5">
      <span className="grid size-10 shrink-0 place-items-center rounded-md bg-muted text-gold-text">
        <Icon className="icon" />
      </span>
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p>
          <Link to={paths.community(id)} dir="auto" className="text-ui font-semibold hover:underline">
            <Highlight>{name}</Highlight>
          </Link>
        </p>
        {description && (
          <p dir="auto" className="mt-0.5 line-clamp-2 max-w-measure text-caption text-muted-foreground">
            <Highlight>{description}</Highlight>
          </p>
        )}
        {/* As high as the badge that appears in it. */}
        <p className="mt-0.5 flex min-h-5.5 flex-wrap items-center gap-2 text-micro text-muted-foreground tabular-nums">
          {t('members', { count: memberCount })}
          {role && <RoleBadge of={role} />}
          <AccessBadges of={community} />
        </p>
      </div>
      <div className="max-sm:w-full max-sm:pl-[3.375rem]">
        <JoinButton community={community} />
      </div>
    </li>
  );
}

export function CommunitySkeletons() {
  return (
    <LoadingRows count={4} className="card divide-y" row="flex gap-3.5 px-4 py-4 md:px-5">
      <Skeleton className="size-10" />
      <Bars
        className="flex-1 space-y-2 pt-0.5"
        of={['h-3.5 w-44 max-w-full', 'h-3 w-80 max-w-full', 'h-3 w-20']}
      />
    </LoadingRows>
  );
}
