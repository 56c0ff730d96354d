// The page of an article: headline, author, date, the summary of its source, and links to the originals.
import { ExternalLink } from 'lucide-react';
import type { NewsArticle } from '@/api/schema.gen';
import { SaveButton } from '@/features/saved/save-button';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { buttonClass } from '@/ui/button';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { webAddress } from '@/web-address';
import { copiesOf } from './copies';
import { Sources } from './sources';

export function ArticlePage({ article }: { article: NewsArticle }) {
  const { t, i18n } = useTranslation('news');
  const { title, description, author, publishedAt, isDemo } = article;
  const date = formatDate(i18n.language, publishedAt, { dateStyle: 'long' }) ?? t('unknownDate');
  return (
    <article className="card p-5 md:p-8">
      <Sources article={article} />
      <h1 className="mt-2 font-serif text-[1.625rem] leading-[2.125rem] font-semibold tracking-[-0.012em] text-balance wrap-anywhere md:text-[1.875rem] md:leading-[2.375rem]">
        {title}
      </h1>
      <p className="mt-3 text-caption text-muted-foreground wrap-anywhere">
        {[author && t('by', { author }), date].filter(Boolean).join(' · ')}
      </p>
      {isDemo && (
        <p className="mt-5 rounded-lg bg-muted px-4 py-3 text-ui text-pretty text-muted-foreground">
          {t('demoNote')}
        </p>
      )}
      <p
        className={`mt-5 max-w-measure whitespace-pre-line text-body wrap-anywhere ${description ? '' : 'text-muted-foreground'}`}
      >
        {description ?? t('noDescription')}
      </p>
      <div className="mt-5">
        <SaveButton kind="article" id={article.id} name={title} worded />
      </div>
      <Copies article={article} />
    </article>
  );
}

/** Every source of the article cluster, each with a link to its copy. */
function Copies({ article }: { article: NewsArticle }) {
  const { t } = useTranslation('news');
  const links = copiesOf(article).flatMap(({ sourceName, url }) => {
    const address = webAddress(url);
    return address ? [{ sourceName, address }] : [];
  });
  if (links.length === 0) return null;
  return (
    <section aria-label={t('whole')} className="mt-6 border-t pt-5">
      <h2 className="text-subhead">{t('whole')}</h2>
      <ul className="mt-3 flex flex-wrap gap-2">
        {links.map(({ sourceName, address }, at) => (
          <li key={address}>
            <a
              href={address}
              target="_blank"
              rel="noopener nofollow"
              className={buttonClass({ variant: at === 0 ? 'primary' : 'outline' })}
            >
              {t('readAt', { source: sourceName })}
              <ExternalLink className="icon-sm" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ArticleSkeleton() {
  return (
    <Loading className="card p-5 md:p-8">
      <Skeleton className="h-3.5 w-28" />
      <Bars className="mt-4 space-y-3" of={['h-7 w-[95%]', 'h-7 w-3/5']} />
      <Skeleton className="mt-5 h-3 w-44" />
      <Bars className="mt-7 max-w-measure space-y-3" of={['h-3.5 w-[95%]', 'h-3.5 w-[90%]', 'h-3.5 w-3/5']} />
      <Skeleton className="mt-9 h-9 w-44" />
    </Loading>
  );
}
