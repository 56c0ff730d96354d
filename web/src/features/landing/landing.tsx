// The landing page: hero, claims, features, reasons, and the call to join.
import { addTexts } from '@/i18n/i18n';
import en from '@/locales/en/landing.json';
import fil from '@/locales/fil/landing.json';
import { FooterLinks } from '@/ui/footer-links';
import { HomeLink } from '@/ui/logo';
import { CallToAction } from './call-to-action';
import { Features } from './features';
import { Hero } from './hero';
import { Reasons } from './reasons';
import { Stats } from './stats';

// The first page bundles its texts instead of requesting them.
addTexts('landing', { en, fil });

export function Landing() {
  return (
    <>
      <Hero />
      <Stats />
      <Features />
      <Reasons />
      <CallToAction />
      <footer className="border-t bg-card">
        <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-4 px-4 py-6 md:px-6">
          <HomeLink />
          <FooterLinks />
        </div>
      </footer>
    </>
  );
}
