// Legal news: search, source filter, a grid with more on demand, and the list of sources.
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ArticleList } from '@/features/news/article-list';
import { Controls, type NewsFilter } from '@/features/news/controls';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useFilters } from '@/ui/filters';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

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
          // Another source starts at page 1, even if its further pages are cached.
          queryClient.removeQueries({ queryKey: ['/api/news'], type: 'inactive' });
          change(changed);
        }}
      />
      <ArticleList filter={filter} />
      <p className="mx-auto mt-8 mb-4 max-w-measure border-t pt-5 text-center text-caption text-balance text-muted-foreground">
        {t('footer')}{' '}
        <Link to={paths.status} className="link whitespace-nowrap underline underline-offset-3">
          {t('status')}
        </Link>
      </p>
    </Page>
  );
}
