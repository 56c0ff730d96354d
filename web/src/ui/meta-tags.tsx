// The meta tags of a screen, and of the home screen: the part that the first page needs.
import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';

/** The meta tags of the home screen, which are part of the first page. */
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

/**
 * Title, description, keywords, canonical address and social tags; React puts them into the head. The tags that the
 * gateway wrote for link previews are removed: React does not replace them.
 */
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
  useLayoutEffect(() => {
    for (const tag of document.head.querySelectorAll('[data-preview]')) tag.remove();
  }, []);
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
