// The best results of every kind and the results of each, as the cards of its list, with the matching words marked.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { type MouseEvent, type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import type { Resource, SearchType } from '@/api/schema.gen';
import {
  bestOfQuery,
  bestQuery,
  type Found,
  foundQuery,
  type SearchKind,
  searchKinds,
  suggestQuery,
  termsOf,
} from '@/api/search';
import { CommunityRow, CommunitySkeletons } from '@/features/communities/community-row';
import { EventRow, EventSkeletons } from '@/features/events/event-row';
import { JobCard } from '@/features/jobs/job-card';
import { JobSkeletons } from '@/features/jobs/job-list';
import { RowSkeletons } from '@/features/network/skeletons';
import { ArticleCard } from '@/features/news/article-card';
import { PostCard } from '@/features/posts/post-card';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { builtInResources } from '@/features/resources/built-in';
import { ResourceCard, ResourceSkeletons, resourceGrid } from '@/features/resources/resource-card';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { PagedList } from '@/ui/paged-list';
import { Bars, LoadingRows } from '@/ui/skeleton';
import { TermHighlights } from '@/ui/term-highlights';
import { fold } from '@/ui/text-folding';
import { PersonRow } from './person-row';
import { groupsOf } from './suggestion-groups';

/** The cards of each kind, as in its list. */
const cards: { [Kind in SearchType]: (found: Found<Kind>[]) => ReactNode } = {
  people: (people) => (
    <Rows>
      {people.map((person) => (
        <PersonRow key={person.id} person={person} />
      ))}
    </Rows>
  ),
  posts: (posts) => posts.map((post) => <PostCard key={post.id} post={post} />),
  communities: (communities) => (
    <Rows>
      {communities.map((community) => (
        <CommunityRow key={community.id} community={community} />
      ))}
    </Rows>
  ),
  resources: (resources) => (
    <div className={resourceGrid}>
      {resources.map((resource) => (
        <ResourceCard key={resource.id} resource={resource} />
      ))}
    </div>
  ),
  jobs: (jobs) => (
    <div className="space-y-3 md:space-y-4">
      {jobs.map((job) => (
        <JobCard key={job.id} job={job} />
      ))}
    </div>
  ),
  news: (articles) => (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
      {articles.map((article) => (
        <ArticleCard key={article.id} article={article} lead={false} />
      ))}
    </div>
  ),
  events: (events) => (
    <Rows>
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </Rows>
  ),
  topics: (topics) => (
    <Rows>
      {topics.map((topic) => (
        <TopicRow key={topic.topic} topic={topic} />
      ))}
    </Rows>
  ),
};

const skeletons: Record<SearchType, ReactNode> = {
  people: <RowSkeletons />,
  posts: <PostSkeletons />,
  communities: <CommunitySkeletons />,
  resources: <ResourceSkeletons />,
  jobs: <JobSkeletons />,
  news: <ResourceSkeletons />,
  events: <EventSkeletons />,
  topics: (
    <LoadingRows className="card divide-y" row="px-4 py-4 md:px-5">
      <Bars of={['h-3 w-44 max-w-full']} />
    </LoadingRows>
  ),
};

/** A topic with the number of members who used it lately. */
function TopicRow({ topic: { topic, memberCount } }: { topic: Found<'topics'> }) {
  const { t } = useTranslation('topics');
  return (
    <li>
      <Link
        to={paths.topic(topic)}
        className="flex min-h-11 items-center justify-between gap-3 px-4 py-1.5 text-ui -outline-offset-2 hover:bg-hover md:px-5"
      >
        <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
          #{topic}
        </span>
        <span className="shrink-0 text-caption text-muted-foreground tabular-nums">
          {t('members', { count: memberCount })}
        </span>
      </Link>
    </li>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return (
    <Card>
      <ul className="divide-y">{children}</ul>
    </Card>
  );
}

/** The results of one kind, or the best of every kind. */
export function Results({ kind, q }: { kind: SearchKind; q: string }) {
  if (kind === 'all') return <BestResults q={q} />;
  if (kind === 'resources') return <Resources q={q} />;
  return (
    <Width kind={kind}>
      <List kind={kind} q={q} />
    </Width>
  );
}

/** Posts have the width of their lists. */
function Width({ kind, children }: { kind: SearchType; children: ReactNode }) {
  return kind === 'posts' ? <div className="max-w-reading space-y-4">{children}</div> : children;
}

function BestResults({ q }: { q: string }) {
  const { t } = useTranslation('search');
  const { data, isPending, refetch } = useQuery(bestQuery(q));
  if (isPending) return <RowSkeletons />;
  const builtIn = builtInFound(q).length > 0;
  const found = searchKinds.filter((kind) => data?.found.includes(kind) || (kind === 'resources' && builtIn));
  const failed = !data || data.incomplete;
  if (found.length === 0 && !failed) return <Nothing kind="all" q={q} />;
  return (
    <div className="space-y-8">
      {found.map((kind) => (
        <BestOfKind key={kind} kind={kind} q={q} />
      ))}
      {failed && <ErrorPanel onRetry={() => void refetch()}>{t('failed')}</ErrorPanel>}
    </div>
  );
}

/** The built-in resources that a search of all kinds shows after the server's. */
const builtInShown = 3;

function BestOfKind<Kind extends SearchType>({ kind, q }: { kind: Kind; q: string }) {
  const { t } = useTranslation('search');
  const id = useId();
  const { data } = useInfiniteQuery(bestOfQuery(kind, q));
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const own = kind === 'resources' ? builtInFound(q).slice(0, Math.max(0, builtInShown - items.length)) : [];
  const shown = [...items, ...(own as Found<Kind>[])];
  // A member who was blocked here leaves the list.
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-subhead">
          {t(kind)}
        </h2>
        <Link
          to={paths.search(q, kind)}
          onClick={(event) => focusTabAfter(event, kind)}
          className="link text-ui"
        >
          {t(`seeAll.${kind}`)}
        </Link>
      </div>
      <Width kind={kind}>
        <TermHighlights value={termsOf(data)}>{cards[kind](shown)}</TermHighlights>
      </Width>
    </section>
  );
}

interface ListProps<Kind extends SearchType> {
  kind: Kind;
  q: string;
}

function List<Kind extends SearchType>({ kind, q }: ListProps<Kind>) {
  const { t } = useTranslation('search');
  const query = useInfiniteQuery(foundQuery(kind, q));
  return (
    <TermHighlights value={termsOf(query.data)}>
      <PagedList
        query={query}
        skeleton={skeletons[kind]}
        failed={t('failed')}
        more={t('more')}
        empty={<Nothing kind={kind} q={q} />}
      >
        {cards[kind]}
      </PagedList>
    </TermHighlights>
  );
}

/** The built-in resources follow the server's, as in their list; they need no server. */
function Resources({ q }: { q: string }) {
  const { t } = useTranslation('search');
  const query = useInfiniteQuery(foundQuery('resources', q));
  const builtIn = query.hasNextPage ? [] : builtInFound(q);
  const own = builtIn.map((resource) => <ResourceCard key={resource.id} resource={resource} />);
  return (
    <TermHighlights value={termsOf(query.data)}>
      <PagedList
        query={query}
        skeleton={<ResourceSkeletons />}
        failed={t('failed')}
        more={t('more')}
        empty={
          own.length > 0 ? <div className={resourceGrid}>{own}</div> : <Nothing kind="resources" q={q} />
        }
      >
        {(resources, begins) => (
          <div className={resourceGrid}>
            {resources.map((resource) => (
              <ResourceCard key={resource.id} resource={resource} />
            ))}
            {!begins && own}
          </div>
        )}
      </PagedList>
    </TermHighlights>
  );
}

function Nothing({ kind, q }: { kind: SearchKind; q: string }) {
  const { t } = useTranslation('search');
  return (
    <Card>
      <Empty
        icon={SearchX}
        title={t(`none.${kind}`, { q })}
        hint={t('noneHint')}
        action={kind !== 'all' && <Elsewhere kind={kind} q={q} />}
        className="wrap-anywhere"
      />
    </Card>
  );
}

/** The other tabs that have results. */
function Elsewhere({ kind, q }: { kind: SearchType; q: string }) {
  const { t } = useTranslation('search');
  const { data } = useQuery(suggestQuery(q));
  if (!data) return null;
  const found = new Set(groupsOf(data).map((group) => group.kind));
  if (builtInFound(q).length > 0) found.add('resources');
  const others = searchKinds.filter((other) => other !== kind && found.has(other));
  if (others.length === 0) return null;
  return (
    <nav aria-label={t('elsewhere')} className="flex flex-wrap items-center justify-center gap-2">
      <span className="text-ui text-muted-foreground">{t('elsewhere')}</span>
      {others.map((other) => (
        <Link
          key={other}
          to={paths.search(q, other)}
          replace
          className={buttonClass({ variant: 'outline', size: 'sm' })}
          onClick={(event) => focusTabAfter(event, other)}
        >
          {t(other)}
        </Link>
      ))}
    </nav>
  );
}

/** The pressed link disappears, so the tab takes the focus; not when the link opens in a new tab of the browser. */
function focusTabAfter({ ctrlKey, metaKey, shiftKey }: MouseEvent, kind: SearchType) {
  if (ctrlKey || metaKey || shiftKey) return;
  document.querySelector<HTMLElement>(`main [role="tab"][id$="-trigger-${kind}"]`)?.focus();
}

/** The resources in which every word of the query is a prefix of a word in title or description. */
function builtInFound(q: string): Resource[] {
  const wanted = wordsOf(q);
  if (wanted.length === 0) return [];
  return builtInResources.filter(({ title, description }) => {
    const said = wordsOf(`${title} ${description ?? ''}`);
    return wanted.every((word) => said.some((other) => other.startsWith(word)));
  });
}

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
