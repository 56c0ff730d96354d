// The meta presets of screens, and of a person's page.

import type { Texts } from '@/i18n/texts';
import { useTranslation } from '@/i18n/use-translation';
import { Tags } from './meta-tags';

/** Pages that are called by the name of what they show. */
export type NamedPage = 'community' | 'event' | 'job' | 'article' | 'resource' | 'post';

/** The preset of a screen, from the texts of `meta`. */
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

/** The preset of a person's page. */
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
