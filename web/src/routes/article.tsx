// The page of an article.
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Newspaper } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { articleQuery } from '@/api/queries';
import { ArticlePage, ArticleSkeleton } from '@/features/news/article-page';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { DetailFallback } from '@/ui/detail-fallback';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';

export function Component() {
  const { t } = useTranslation('news');
  const { id = '' } = useParams();
  const query = useQuery(articleQuery(id));
  const article = query.data;
  return (
    <Page key={id} width="reading">
      {article ? (
        <>
          <NamedMeta page="article" name={article.title} about={article.description} type="article" />
          <Link
            to={paths.news}
            className={buttonClass({ variant: 'ghost', size: 'sm', className: 'mb-3 -ml-3' })}
          >
            <ArrowLeft className="icon-sm" />
            {t('all')}
          </Link>
          <ArticlePage article={article} />
        </>
      ) : (
        <DetailFallback
          page="news"
          heading={t('one')}
          query={query}
          skeleton={<ArticleSkeleton />}
          gone={isUnknown(query.error)}
          unknown={{ icon: Newspaper, title: t('unknown'), hint: t('unknownHint') }}
          others={{ to: paths.news, label: t('all') }}
          failed={t('oneFailed')}
        />
      )}
    </Page>
  );
}
