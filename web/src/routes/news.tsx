// Legal news: search, one source or all, a grid, and more on demand.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Newspaper, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newsQuery, newsSourcesQuery } from '@/api/queries';
import { ArticleCard } from '@/features/news/article-card';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { useFilters } from '@/ui/filters';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { SearchField } from '@/ui/search-field';
import { Select } from '@/ui/select';
import { Loading, Skeleton } from '@/ui/skeleton';

interface NewsFilter {
  source?: string;
  search?: string;
}

export function Component() {
  const { t } = useTranslation('news');
  const queryClient = useQueryClient();
  const [filter, change] = useFilters<NewsFilter>({ source: null, search: null });
  return (
    <Page>
      <PageMeta page="news" />
      <PageHeading title={t('title')} lead={t('lead')} />
      <Controls
        filter={filter}
        onChange={(changed) => {
          // Another source starts at page 1, also one whose further pages were read before.
          queryClient.removeQueries({ queryKey: ['/api/news'], type: 'inactive' });
          change(changed);
        }}
        onRefresh={() => void queryClient.resetQueries({ queryKey: ['/api/news'] })}
      />
      <Articles filter={filter} />
      <p className="mx-auto mt-8 mb-4 max-w-[40rem] border-t pt-5 text-center text-caption text-balance text-muted-foreground">
        {t('footer')}
      </p>
    </Page>
  );
}

interface ControlsProps {
  filter: NewsFilter;
  onChange: (changed: NewsFilter) => void;
  onRefresh: () => void;
}

function Controls({ filter, onChange, onRefresh }: ControlsProps) {
  const { t } = useTranslation('news');
  const { data: sources = [] } = useQuery(newsSourcesQuery);
  return (
    <div className="mb-5 flex flex-wrap gap-2.5">
      <SearchField
        label={t('search')}
        className="min-w-0 max-md:w-full md:w-80"
        value={filter.search ?? ''}
        onSearch={(search) => onChange({ search })}
      />
      <Select<string>
        label={t('source')}
        className="max-md:w-auto! max-md:flex-1 md:w-48!"
        value={filter.source ?? 'all'}
        onChange={(source) => onChange({ source: source === 'all' ? '' : source })}
        options={[
          { value: 'all', label: t('allSources') },
          ...sources.map(({ source, sourceName }) => ({ value: source, label: sourceName })),
        ]}
      />
      <Button variant="outline" className="h-10 md:ml-auto" onClick={onRefresh}>
        <RefreshCw className="icon-sm" aria-hidden="true" />
        {t('refresh')}
      </Button>
    </div>
  );
}

function Articles({ filter }: { filter: NewsFilter }) {
  const { t } = useTranslation('news');
  const query = useInfiniteQuery(newsQuery(filter));
  if (!query.data) {
    return query.isFetching ? (
      <NewsSkeleton />
    ) : (
      <ErrorPanel onRetry={() => void query.refetch()}>{t('failed')}</ErrorPanel>
    );
  }
  const articles = query.data.pages.flatMap((page) => page.articles);
  if (articles.length === 0) {
    return (
      <Card>
        <Empty icon={Newspaper} title={t('none')} />
      </Card>
    );
  }
  const more = () => void query.fetchNextPage();
  return (
    <>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
        {articles.map((article, at) => (
          <ArticleCard key={article.id} article={article} lead={at === 0} />
        ))}
      </div>
      {query.isFetchNextPageError && !query.isFetchingNextPage ? (
        <div className="mt-6">
          <ErrorPanel onRetry={more}>{t('failed')}</ErrorPanel>
        </div>
      ) : (
        query.hasNextPage && (
          <div className="mt-6 flex justify-center">
            <Button variant="outline" busy={query.isFetchingNextPage} onClick={more}>
              {t('more')}
            </Button>
          </div>
        )
      )}
    </>
  );
}

function NewsSkeleton() {
  return (
    <Loading className="grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
      {[0, 1, 2, 3, 4].map((card) => (
        <div key={card} className={`card space-y-2.5 p-5 ${card === 0 ? 'md:col-span-2 md:p-7' : ''}`}>
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-5 w-[90%]" />
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="h-3.5 w-[95%]" />
          <Skeleton className="h-3.5 w-4/5" />
          <div className="flex items-end justify-between pt-5">
            <Skeleton className="h-3 w-20" />
            <Skeleton className="h-8 w-24" />
          </div>
        </div>
      ))}
    </Loading>
  );
}
