// An article: sources, headline, summary, author and date, and links to its page and to the original.
import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router';
import type { NewsArticle } from '@/api/schema.gen';
import { SaveButton } from '@/features/saved/save-button';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Highlight } from '@/ui/highlight';
import { webAddress } from '@/web-address';
import { Sources } from './sources';

/** The lead article spans two columns from 768 px. */
export function ArticleCard({ article, lead }: { article: NewsArticle; lead: boolean }) {
  const { t, i18n } = useTranslation('news');
  const date = formatDate(i18n.language, article.publishedAt) ?? t('unknownDate');
  const { title } = article;
  const original = webAddress(article.url);
  return (
    <article className={`card flex min-w-0 flex-col p-5 ${lead ? 'md:col-span-2 md:p-7' : ''}`}>
      <Sources article={article} />
      <h2
        dir="auto"
        className={`mt-1.5 font-serif font-semibold text-balance wrap-anywhere ${lead ? 'text-[1.5rem] leading-8 tracking-[-0.012em] md:text-[1.875rem] md:leading-[2.375rem]' : 'text-[1.1875rem] leading-[1.625rem] tracking-[-0.006em]'}`}
      >
        <Highlight>{title}</Highlight>
      </h2>
      {article.description && (
        <p
          dir="auto"
          className={`mt-2 text-muted-foreground wrap-anywhere ${lead ? 'line-clamp-5 max-w-[38rem] text-body' : 'line-clamp-3 text-ui'}`}
        >
          <Highlight>{article.description}</Highlight>
        </p>
      )}
      <div className="mt-auto flex items-end justify-between gap-3 pt-5">
        <p className="min-w-0 text-micro text-muted-foreground wrap-anywhere">
          {article.author && <span className="block">{t('by', { author: article.author })}</span>}
          {date}
        </p>
        <div className="-mr-2 flex items-center gap-1">
          <Link to={paths.article(article.id)} className={buttonClass({ variant: 'outline', size: 'sm' })}>
            {/* The title is part of the link text: twenty links named 'Read More' are meaningless to screen readers and crawlers. */}
            <span>
              {t('readMore')}
              <span className="sr-only"> {title}</span>
            </span>
          </Link>
          {original && (
            <a
              href={original}
              target="_blank"
              rel="noopener nofollow"
              aria-label={t('original', { title })}
              className={buttonClass({ variant: 'ghost', size: 'sm', className: 'px-2' })}
            >
              <ExternalLink className="icon-sm" />
            </a>
          )}
          <SaveButton kind="article" id={article.id} name={title} />
        </div>
      </div>
    </article>
  );
}
