// The line above a headline: the sources of the article, and whether it is a sample.
import type { NewsArticle } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Badge } from '@/ui/badge';
import { sourceNames } from './copies';

export function Sources({ article }: { article: NewsArticle }) {
  const { t } = useTranslation('news');
  return (
    <div className="flex items-start justify-between gap-3">
      <p className="min-w-0 text-caption font-semibold text-gold-text wrap-anywhere">
        {sourceNames(article).join(' · ')}
      </p>
      {article.isDemo && (
        // As high as the line, so that the headlines of one row are aligned.
        <span className="-my-0.5">
          <Badge>{t('demo')}</Badge>
        </span>
      )}
    </div>
  );
}
