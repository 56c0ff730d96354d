// What a visitor sees first: hero, claims, features, reasons, and the call to join.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '@/paths';
import { FooterLinks } from '@/ui/footer-links';
import { Mark, Wordmark } from '@/ui/logo';
import { CallToAction } from './call-to-action';
import { Features } from './features';
import { Hero } from './hero';
import { Reasons } from './reasons';
import { Stats } from './stats';

export function Landing() {
  const { t } = useTranslation('shell');
  return (
    <>
      <Hero />
      <Stats />
      <Features />
      <Reasons />
      <CallToAction />
      <footer className="border-t bg-card">
        <div className="mx-auto flex max-w-[78rem] flex-wrap items-center justify-between gap-4 px-4 py-6 md:px-6">
          <Link
            to={paths.home}
            aria-label={`${t('brand')}, ${t('nav.home')}`}
            className="flex items-center gap-2.5 rounded-xs"
          >
            <Mark />
            <Wordmark />
          </Link>
          <FooterLinks />
        </div>
      </footer>
    </>
  );
}
