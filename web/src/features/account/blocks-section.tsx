// Settings, Blocked members: the list of blocked members, and unblocking.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { blocksQuery } from '@/api/queries';
import type { Block, User } from '@/api/schema.gen';
import { useUnblock } from '@/features/network/block-mutations';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { PagedList } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { SettingsSection } from './settings-section';

/** Also needs the texts of `network`. */
export function BlocksSection({ user }: { user: User }) {
  const { t } = useTranslation('settings');
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <SettingsSection anchor="blocks" title={t('blocks.title')} about={t('blocks.about')} headingRef={heading}>
      <PagedList
        query={useInfiniteQuery(blocksQuery)}
        skeleton={<BlockSkeleton />}
        failed={t('blocks.failed')}
        empty={<p className="text-body text-muted-foreground">{t('blocks.none')}</p>}
        more={t('blocks.more')}
      >
        {(blocks) => (
          <ul className="-my-2 divide-y">
            {blocks.map((block) => (
              <BlockRow
                key={block.user.id}
                block={block}
                user={user}
                onUnblocked={() => heading.current?.focus()}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </SettingsSection>
  );
}

interface BlockRowProps {
  block: Block;
  user: User;
  onUnblocked: () => void;
}

function BlockRow({ block: { user: blocked, createdAt }, user, onUnblocked }: BlockRowProps) {
  const { t } = useTranslation('settings');
  const unblock = useUnblock(user, onUnblocked);
  return (
    <li className="flex items-center gap-3 py-3">
      <Avatar user={blocked} size={40} decorative />
      <div className="min-w-0 flex-1">
        <p className="text-ui font-semibold wrap-anywhere">{blocked.fullName}</p>
        <p className="text-caption text-muted-foreground">
          {t('blocks.since')} <RelativeTime at={createdAt} />
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={t('blocks.unblockOne', { name: blocked.fullName })}
        busy={unblock.isPending}
        busyLabel={t('blocks.unblocking')}
        onClick={() => unblock.mutate(blocked)}
      >
        {t('blocks.unblock')}
      </Button>
    </li>
  );
}

function BlockSkeleton() {
  return (
    <Loading className="flex items-center gap-3 py-2">
      <Skeleton className="size-10 rounded-full!" />
      <Bars className="min-w-0 flex-1 space-y-2" of={['h-3.5 w-40 max-w-full', 'h-3 w-24']} />
    </Loading>
  );
}
