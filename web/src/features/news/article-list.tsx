// The grid of articles with the first as the lead, and Load More below.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Newspaper } from 'lucide-react';
import { newsQuery } from '@/api/queries';
import type { NewsArticle, NewsPage } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { useIncrementalList } from '@/ui/incremental-list';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { ArticleCard } from './article-card';
import type { NewsFilter } from './controls';

export function ArticleList({ filter }: { filter: NewsFilter }) {
  const { t } = useTranslation('news');
  const query = useInfiniteQuery(newsQuery(filter));
  if (!query.data) {
    return query.isFetching ? (
      <NewsSkeleton />
    ) : (
      <ErrorPanel onRetry={() => void query.refetch()}>{t('failed')}</ErrorPanel>
    );
  }
  const articles = articlesOf(query.data.pages);
  if (articles.length === 0) {
    return <EmptyCard icon={Newspaper} title={t('none')} />;
  }
  const more = () => void query.fetchNextPage();
  return (
    <>
      <Stories articles={articles} />
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

function Stories({ articles }: { articles: NewsArticle[] }) {
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
      {useIncrementalList(articles).drawn.map((article, at) => (
        <ArticleCard key={article.id} article={article} lead={at === 0} />
      ))}
    </div>
  );
}

/** Pages are numbered: after new articles arrive, a page begins with the end of the previous one. */
function articlesOf(pages: NewsPage[]): NewsArticle[] {
  const byId = new Map<string, NewsArticle>();
  for (const article of pages.flatMap((page) => page.articles))
    if (!byId.has(article.id)) byId.set(article.id, article);
  return [...byId.values()];
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
          <Bars className="flex items-end justify-between pt-5" of={['h-3 w-20', 'h-8 w-24']} />
        </div>
      ))}
    </Loading>
  );
}
