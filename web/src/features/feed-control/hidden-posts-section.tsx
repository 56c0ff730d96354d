// Feed settings: the hidden posts, with the way to show each again.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { hiddenPostsQuery } from '@/api/feed-control';
import type { HiddenPost } from '@/api/schema.gen';
import { SettingsSection } from '@/features/account/settings-section';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Button } from '@/ui/button';
import { PagedList } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { Loading } from '@/ui/skeleton';
import { useHiding } from './use-hiding';

export function HiddenPostsSection() {
  const { t } = useTranslation('feeds');
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <SettingsSection title={t('settings.hiddenPosts')} about={t('settings.hiddenAbout')} headingRef={heading}>
      <PagedList
        query={useInfiniteQuery(hiddenPostsQuery)}
        skeleton={<Loading bars={['my-2 h-4 w-40']} />}
        failed={t('settings.hiddenFailed')}
        empty={<p className="text-body text-muted-foreground">{t('settings.hiddenNone')}</p>}
        more={t('settings.more')}
      >
        {(posts) => (
          <ul className="-my-2 divide-y">
            {posts.map((hidden) => (
              <HiddenRow key={hidden.post.id} hidden={hidden} onShown={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </PagedList>
    </SettingsSection>
  );
}

function HiddenRow({ hidden, onShown }: { hidden: HiddenPost; onShown: () => void }) {
  const { t } = useTranslation('feeds');
  const { post, hiddenAt, notInterested } = hidden;
  const hiding = useHiding(post.id);
  return (
    <li className="flex items-start gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <Link
          to={paths.post(post.id)}
          className="inline-block min-h-6 text-ui font-semibold wrap-anywhere hover:underline"
        >
          {post.user.fullName}
        </Link>
        <p dir="auto" className="line-clamp-2 text-body wrap-anywhere">
          {post.title ?? post.content}
        </p>
        <p className="text-caption text-muted-foreground">
          <RelativeTime at={hiddenAt} />
          {notInterested && ` · ${t('settings.notInterested')}`}
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={t('settings.showNamed', { name: post.user.fullName })}
        busy={hiding.isPending}
        onClick={() => hiding.mutate(null, { onSuccess: onShown })}
      >
        {t('settings.show')}
      </Button>
    </li>
  );
}
