// The meta presets of pages that are called by a name: a community, an event, a job, an article, a resource.
import { useTranslation } from '@/i18n/use-translation';
import { Tags } from './meta-tags';
import type { NamedPage } from './page-meta';

interface NamedMetaProps {
  page: NamedPage;
  name: string;
  /** What it says of itself, in place of the preset's description. */
  about?: string | null;
  type?: 'website' | 'article';
}

/** The maximum length of a description. */
const aboutAtMost = 200;

export function NamedMeta({ page, name, about, type = 'website' }: NamedMetaProps) {
  const { t } = useTranslation('meta');
  return (
    <Tags
      title={t(`${page}.title`, { name })}
      description={about ? [...about].slice(0, aboutAtMost).join('') : t(`${page}.description`, { name })}
      keywords={t(`${page}.keywords`, { name })}
      type={type}
    />
  );
}
