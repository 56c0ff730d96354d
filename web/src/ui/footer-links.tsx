// The footer links of the landing page and the home rail.
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';

const links = ['about', 'privacy', 'terms', 'cookies', 'copyright', 'brand', 'status'] as const;

export function FooterLinks() {
  const { t } = useTranslation('shell');
  return (
    <nav aria-label={t('nav.footer')} className="flex flex-wrap gap-x-2.5 text-micro text-muted-foreground">
      {links.map((link) => (
        <Link key={link} to={paths[link]} className="py-1 hover:underline">
          {t(`footer.${link}`)}
        </Link>
      ))}
    </nav>
  );
}
