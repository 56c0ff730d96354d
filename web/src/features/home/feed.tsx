// The signed-in home: summary and communities, composer and posts, people, events and resources.
import { useInfiniteQuery, usePrefetchInfiniteQuery, usePrefetchQuery } from '@tanstack/react-query';
import { Newspaper } from 'lucide-react';
import { startTransition, useEffect, useState } from 'react';
import {
  communitiesQuery,
  eventsQuery,
  postsQuery,
  profileQuery,
  resourcesQuery,
  suggestionsQuery,
} from '@/api/queries';
import type { FeedSort, User } from '@/api/schema.gen';
import { RecoveryCard } from '@/features/account/recovery-card';
import { ChecklistCard } from '@/features/onboarding/checklist-card';
import { Composer } from '@/features/posts/composer';
import { type HomeFeed, homeFeeds, storedFeed, storeFeed } from '@/features/posts/home-feed';
import { PostList } from '@/features/posts/post-list';
import { feedSorts, storedSort, storeSort } from '@/features/posts/sort';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { EmptyCard } from '@/ui/empty';
import { FooterLinks } from '@/ui/footer-links';
import { lazy } from '@/ui/lazy';
import { Page } from '@/ui/page';
import { useReturnNavigation } from '@/ui/return-navigation';
import { Select } from '@/ui/select';
import { ThemeChoice } from '@/ui/theme-choice';
import { CommunitiesCard } from './communities-card';
import { EventsCard } from './events-card';
import { PeopleCard } from './people-card';
import { ResourcesCard } from './resources-card';
import { SummaryCard } from './summary-card';

const EmptyFeed = lazy(
  async () => (await withTexts(import('@/features/feed-control/empty-feed'), 'feeds')).EmptyFeed,
);

/** Phone: posts first. Tablet: the right rail stacks under the left one. From 1200 px: three columns. */
export function Feed({ user }: { user: User }) {
  const { t } = useTranslation(['posts', 'shell']);
  const [sort, setSort] = useState(() => storedSort(user.id));
  const [feed, setFeed] = useState(() => storedFeed(user.id));
  const chooseFeed = (chosen: HomeFeed) => {
    setFeed(chosen);
    storeFeed(user.id, chosen);
  };
  const choose = (chosen: FeedSort) => {
    // The feeds of the member are newest first; another order is of all posts.
    if (feed !== 'all' && chosen === 'recent') return;
    chooseFeed('all');
    setSort(chosen);
    storeSort(user.id, chosen);
  };
  const { isPending } = useInfiniteQuery(postsQuery(feed === 'all' ? { sort } : { feed }));
  const { requested, drawn: columns } = useColumns(isPending);
  // Hides the columns while a re-sorted feed loads: a short list would move them on a phone.
  const column = `min-w-0 space-y-4 ${isPending ? 'max-md:invisible' : ''}`;
  return (
    <Page>
      {requested && <ColumnRequests user={user} />}
      <h1 className="sr-only">{t('shell:nav.home')}</h1>
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[15rem_minmax(0,1fr)] md:grid-rows-[auto_1fr] md:gap-x-5 xl:grid-rows-none xl:grid-cols-[16rem_minmax(0,1fr)_18.5rem] xl:gap-x-6">
        <div className="min-w-0 space-y-4 md:col-start-2 md:row-span-2 md:row-start-1 xl:row-span-1">
          <RecoveryCard user={user} />
          <ChecklistCard user={user} />
          <Posts
            user={user}
            sort={feed === 'all' ? sort : 'recent'}
            onSort={choose}
            feed={feed}
            onFeed={chooseFeed}
          />
        </div>
        {columns && (
          <>
            <div className={`${column} md:col-start-1 md:row-start-1`}>
              <SummaryCard user={user} />
              <CommunitiesCard />
            </div>
            <aside className={`${column} md:col-start-1 xl:col-start-3 xl:row-start-1`}>
              <PeopleCard user={user} />
              <EventsCard />
              <ResourcesCard />
              <footer className="space-y-3 px-1 pb-2">
                <FooterLinks />
                <ThemeChoice />
              </footer>
            </aside>
          </>
        )}
      </div>
    </Page>
  );
}

/** Starts the requests of the columns before they are drawn. */
function ColumnRequests({ user }: { user: User }) {
  usePrefetchQuery(profileQuery(user.id));
  usePrefetchInfiniteQuery(communitiesQuery);
  usePrefetchQuery(suggestionsQuery(user.id));
  usePrefetchInfiniteQuery(eventsQuery);
  usePrefetchInfiniteQuery(resourcesQuery());
  return null;
}

/** Milliseconds in which a phone draws the posts above its columns, and then receives the data of the columns. */
const postsFirst = 150;

/** The columns follow shortly after the middle column, on a phone after the posts, which would share its connection with them. */
function useColumns(isPending: boolean) {
  const comesBack = useReturnNavigation();
  const [isPhone] = useState(() => !window.matchMedia('(min-width: 48rem)').matches);
  const [requested, setRequested] = useState(comesBack || !isPhone);
  const [drawn, setDrawn] = useState(comesBack);
  useEffect(() => {
    if (drawn || (isPhone && isPending)) return;
    const draw = () => startTransition(() => setDrawn(true));
    if (!isPhone) return draw();
    const timer = setTimeout(() => (requested ? draw() : setRequested(true)), postsFirst);
    return () => clearTimeout(timer);
  }, [drawn, requested, isPhone, isPending]);
  return { requested, drawn };
}

interface PostsProps {
  user: User;
  sort: FeedSort;
  onSort: (sort: FeedSort) => void;
  feed: HomeFeed;
  onFeed: (feed: HomeFeed) => void;
}

function Posts({ user, sort, onSort, feed, onFeed }: PostsProps) {
  const { t } = useTranslation('posts');
  const feeds = homeFeeds.map((value) => ({ value, label: t(`feed.${value}`) }));
  const options = feedSorts.map((value) => ({ value, label: t(`sort.${value}`) }));
  return (
    <>
      <Composer user={user} />
      <div className="flex items-center gap-2 sm:gap-3">
        <Select
          label={t('feed.label')}
          look="inline"
          align="start"
          className="min-w-0"
          options={feeds}
          value={feed}
          onChange={onFeed}
        />
        <span className="h-px flex-1 bg-border max-[24rem]:hidden" />
        <span
          aria-hidden="true"
          className="text-caption text-muted-foreground max-[24rem]:ml-auto max-[22.4rem]:invisible max-[22.4rem]:w-0 max-[22.4rem]:overflow-hidden whitespace-nowrap"
        >
          {t('sortBy')}
        </span>
        <Select
          label={t('sortBy')}
          look="inline"
          className="-ml-0.5 sm:-ml-1.5"
          options={options}
          value={sort}
          onChange={onSort}
        />
      </div>
      <PostList
        {...(feed === 'all' ? { sort } : { feed })}
        empty={
          feed === 'all' ? (
            <EmptyCard icon={Newspaper} title={t('none')} hint={t('noneHint')} />
          ) : (
            <EmptyFeed feed={feed} user={user} onAll={() => onFeed('all')} />
          )
        }
      />
    </>
  );
}
