// The meta tags of pages with the name of an entity: community, event, job, article, resource.
import { useTranslation } from '@/i18n/use-translation';
import { Tags } from './meta-tags';
import type { NamedPage } from './page-meta';

interface NamedMetaProps {
  page: NamedPage;
  name: string;
  /** The description of the entity, in place of the default one. */
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
