// The results of each kind, as the cards of its list, with the matching words marked.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Resource, SearchType } from '@/api/schema.gen';
import { type Found, foundQuery, searchKinds, suggestQuery, termsOf } from '@/api/search';
import { CommunityRow, CommunitySkeletons } from '@/features/communities/community-row';
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
import { PagedList } from '@/ui/paged-list';
import { TermHighlights } from '@/ui/term-highlights';
import { fold } from '@/ui/text-folding';
import { PersonRow } from './person-row';
import { groupsOf } from './suggestion-groups';

export function Results({ kind, q }: { kind: SearchType; q: string }) {
  switch (kind) {
    case 'people':
      return (
        <List kind="people" q={q} skeleton={<RowSkeletons />}>
          {(people) => (
            <Card>
              <ul className="divide-y">
                {people.map((person) => (
                  <PersonRow key={person.id} person={person} />
                ))}
              </ul>
            </Card>
          )}
        </List>
      );
    case 'posts':
      return (
        <div className="max-w-reading">
          <List kind="posts" q={q} skeleton={<PostSkeletons />}>
            {(posts) => posts.map((post) => <PostCard key={post.id} post={post} />)}
          </List>
        </div>
      );
    case 'communities':
      return (
        <List kind="communities" q={q} skeleton={<CommunitySkeletons />}>
          {(communities) => (
            <Card>
              <ul className="divide-y">
                {communities.map((community) => (
                  <CommunityRow key={community.id} community={community} />
                ))}
              </ul>
            </Card>
          )}
        </List>
      );
    case 'resources':
      return <Resources q={q} />;
    case 'jobs':
      return (
        <List kind="jobs" q={q} skeleton={<JobSkeletons />}>
          {(jobs) => (
            <div className="space-y-3 md:space-y-4">
              {jobs.map((job) => (
                <JobCard key={job.id} job={job} />
              ))}
            </div>
          )}
        </List>
      );
    case 'news':
      return (
        <List kind="news" q={q} skeleton={<ResourceSkeletons />}>
          {(articles) => (
            <div className="grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
              {articles.map((article) => (
                <ArticleCard key={article.id} article={article} lead={false} />
              ))}
            </div>
          )}
        </List>
      );
  }
}

interface ListProps<Kind extends SearchType> {
  kind: Kind;
  q: string;
  skeleton: ReactNode;
  children: (found: Found<Kind>[]) => ReactNode;
}

function List<Kind extends SearchType>({ kind, q, skeleton, children }: ListProps<Kind>) {
  const { t } = useTranslation('search');
  const query = useInfiniteQuery(foundQuery(kind, q));
  return (
    <TermHighlights value={termsOf(query.data)}>
      <PagedList
        query={query}
        skeleton={skeleton}
        failed={t('failed')}
        more={t('more')}
        empty={<Nothing kind={kind} q={q} />}
      >
        {children}
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

function Nothing({ kind, q }: { kind: SearchType; q: string }) {
  const { t } = useTranslation('search');
  return (
    <Card>
      <Empty
        icon={SearchX}
        title={t(`none.${kind}`, { q })}
        hint={t('noneHint')}
        action={<Elsewhere kind={kind} q={q} />}
        className="wrap-anywhere"
      />
    </Card>
  );
}

/** The other tabs that have results: a search begins at people, whatever the member looks for. */
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
          // Not when the link opens in a new tab of the browser.
          onClick={({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey || focusTab(other)}
        >
          {t(other)}
        </Link>
      ))}
    </nav>
  );
}

/** The pressed link disappears with the empty list, so the tab takes the focus. */
const focusTab = (kind: SearchType) =>
  document.querySelector<HTMLElement>(`main [role="tab"][id$="-trigger-${kind}"]`)?.focus();

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
