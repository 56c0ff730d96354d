// The meta tags of screens and profiles.
import type { Texts } from '@/i18n/texts';
import { useTranslation } from '@/i18n/use-translation';
import { Tags } from './meta-tags';

/** Pages with the name of an entity. */
export type NamedPage = 'community' | 'event' | 'job' | 'article' | 'resource' | 'post' | 'topic';

/** The meta tags of a screen, from the texts of `meta`. */
export function PageMeta({ page }: { page: Exclude<keyof Texts['meta'], 'profile' | NamedPage> }) {
  const { t } = useTranslation('meta');
  return (
    <Tags
      title={t(`${page}.title`)}
      description={t(`${page}.description`)}
      keywords={t(`${page}.keywords`)}
      type="website"
    />
  );
}
export function ProfileMeta({ name }: { name: string }) {
  const { t } = useTranslation('meta');
  return (
    <Tags
      title={t('profile.title', { name })}
      description={t('profile.description', { name })}
      keywords={t('profile.keywords', { name })}
      type="profile"
    />
  );
}
