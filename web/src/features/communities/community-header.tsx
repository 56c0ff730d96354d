// The header of a community: icon, name, description, members, and actions.
import { Pencil } from 'lucide-react';
import type { CommunityDetails } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { AccessBadges } from './access-badges';
import { communityIcon } from './icon';
import { JoinButton } from './join-button';
import { RoleBadge } from './role-badge';
import { useCommunityDialog } from './use-community-dialog';

export function CommunityHeader({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation('communities');
  const { name, description, memberCount, role } = community;
  const editor = useCommunityDialog(community);
  const Icon = communityIcon(name);
  return (
    <header className="card flex flex-wrap gap-x-4 gap-y-4 p-4 md:gap-x-5 md:p-6">
      <span className="grid size-13 shrink-0 place-items-center rounded-lg bg-muted text-gold-text">
        <Icon className="icon-lg" />
      </span>
      <div className="min-w-0 flex-1 basis-48 wrap-anywhere">
        <h1 dir="auto" className="font-serif text-title text-balance max-sm:text-[1.625rem]">
          {name}
        </h1>
        {description && (
          <p dir="auto" className="mt-1 text-body text-pretty whitespace-pre-line">
            {description}
          </p>
        )}
        {/* As high as the badge that appears in it. */}
        <p className="mt-2 flex min-h-5.5 flex-wrap items-center gap-2 text-caption text-muted-foreground tabular-nums">
          {t('members', { count: memberCount })}
          {role && <RoleBadge of={role} />}
          <AccessBadges of={community} />
        </p>
      </div>
      <div className="flex flex-wrap items-start gap-2 max-sm:w-full">
        {role === 'owner' && (
          <Button variant="outline" aria-haspopup="dialog" onClick={editor.open}>
            <Pencil className="icon-sm" />
            {t('edit')}
          </Button>
        )}
        <JoinButton community={community} primary className="max-sm:flex-1" />
      </div>
      {editor.dialog}
    </header>
  );
}

export function CommunitySkeleton() {
  return (
    <Loading className="space-y-5">
      <div className="card flex gap-5 p-4 md:p-6">
        <Skeleton className="size-13" />
        <Bars className="flex-1 space-y-3 pt-1" of={['h-7 w-64 max-w-full', 'h-4 w-4/5', 'h-3.5 w-24']} />
      </div>
      <Skeleton className="h-11 w-72 max-w-full" />
    </Loading>
  );
}
