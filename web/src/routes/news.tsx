// Legal news: search, one source or all, a grid, and more on demand.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Newspaper, RefreshCw, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { newsQuery, newsSourcesQuery } from '@/api/queries';
import { ArticleCard } from '@/features/news/article-card';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { Select } from '@/ui/select';
import { Loading, Skeleton } from '@/ui/skeleton';

export function Component() {
  const { t } = useTranslation('news');
  const [address, setAddress] = useSearchParams();
  const filter = Object.fromEntries(
    ['source', 'search'].map((name) => [name, address.get(name)]).filter(([, value]) => value),
  ) as { source?: string; search?: string };
  const change = (changed: typeof filter) => {
    const kept = Object.entries({ ...filter, ...changed }).filter(([, value]) => value);
    setAddress(Object.fromEntries(kept), { replace: true });
  };
  return (
    <Page>
      <PageMeta page="news" />
      <PageHeading title={t('title')} lead={t('lead')} />
      <Controls key={filter.search} filter={filter} onChange={change} />
      <Articles filter={filter} />
      <p className="mx-auto mt-8 mb-4 max-w-[40rem] border-t pt-5 text-center text-caption text-balance text-muted-foreground">
        {t('footer')}
      </p>
    </Page>
  );
}

interface ControlsProps {
  filter: { source?: string; search?: string };
  onChange: (changed: ControlsProps['filter']) => void;
}

function Controls({ filter, onChange }: ControlsProps) {
  const { t } = useTranslation('news');
  const queryClient = useQueryClient();
  const { data: sources = [] } = useQuery(newsSourcesQuery);
  const [search, setSearch] = useState(filter.search ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ search: search.trim() });
  };
  return (
    <div className="mb-5 flex flex-wrap gap-2.5">
      <search className="relative min-w-0 max-md:w-full md:w-80">
        <form onSubmit={submit}>
          <Search
            className="icon-sm pointer-events-none absolute top-3 left-3 text-muted-foreground"
            aria-hidden="true"
          />
          <input
            type="search"
            className="input pl-9"
            placeholder={t('search')}
            aria-label={t('search')}
            maxLength={200}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </form>
      </search>
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
      <Button
        variant="outline"
        className="h-10 md:ml-auto"
        // From page 1, as choosing another source does.
        onClick={() => void queryClient.resetQueries({ queryKey: newsQuery(filter).queryKey })}
      >
        <RefreshCw className="icon-sm" aria-hidden="true" />
        {t('refresh')}
      </Button>
    </div>
  );
}

function Articles({ filter }: Pick<ControlsProps, 'filter'>) {
  const { t } = useTranslation('news');
  const query = useInfiniteQuery(newsQuery(filter));
  if (query.isPending) return <NewsSkeleton />;
  if (!query.data) return <ErrorPanel onRetry={() => void query.refetch()}>{t('failed')}</ErrorPanel>;
  const articles = query.data.pages.flatMap((page) => page.articles);
  if (articles.length === 0) {
    return (
      <Card>
        <Empty icon={Newspaper} title={t('none')} />
      </Card>
    );
  }
  return (
    <>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
        {articles.map((article, at) => (
          <ArticleCard key={article.id} article={article} lead={at === 0} />
        ))}
      </div>
      {query.hasNextPage && (
        <div className="mt-6 flex justify-center">
          <Button
            variant="outline"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('more')}
          </Button>
        </div>
      )}
    </>
  );
}

function NewsSkeleton() {
  return (
    <Loading className="grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
      {[0, 1, 2, 3, 4].map((card) => (
        <div key={card} className={`card space-y-3 p-5 ${card === 0 ? 'md:col-span-2 md:p-7' : ''}`}>
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-5 w-[90%]" />
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="h-3.5 w-[95%]" />
          <Skeleton className="h-3.5 w-4/5" />
        </div>
      ))}
    </Loading>
  );
}
