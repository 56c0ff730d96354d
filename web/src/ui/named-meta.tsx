// The meta presets of pages that are called by a name: a community, an event.
import { useTranslation } from 'react-i18next';
import { Tags } from './page-meta';

export function NamedMeta({ page, name }: { page: 'community' | 'event'; name: string }) {
  const { t } = useTranslation('meta');
  return (
    <Tags
      title={t(`${page}.title`, { name })}
      description={t(`${page}.description`, { name })}
      keywords={t(`${page}.keywords`, { name })}
      type="website"
    />
  );
}
