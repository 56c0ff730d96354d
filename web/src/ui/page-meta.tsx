// Title, description, keywords, canonical address and social tags of a screen; React puts them into the head.
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Texts } from '@/i18n/texts';

/** Pages that are called by the name of what they show. */
export type NamedPage = 'community' | 'event' | 'job' | 'article' | 'resource';

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

/** The preset of the home screen, which is part of the first page. */
export function HomeMeta() {
  const { t } = useTranslation('shell');
  return (
    <Tags
      title={t('meta.home.title')}
      description={t('meta.home.description')}
      keywords={t('meta.home.keywords')}
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

/** For a screen whose title is its content, such as a job or an article. */
export function Tags({
  title,
  description,
  keywords,
  type,
}: {
  title: string;
  description: string;
  keywords: string;
  type: 'website' | 'profile' | 'article';
}) {
  const { i18n } = useTranslation();
  const { pathname } = useLocation();
  const address = `${window.location.origin}${pathname}`;
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta name="keywords" content={keywords} />
      <link rel="canonical" href={address} />
      <meta property="og:site_name" content="Portia" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:locale" content={i18n.language === 'fil' ? 'fil_PH' : 'en_US'} />
      <meta name="twitter:card" content="summary" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
    </>
  );
}
