// The landing page: hero, claims, features, reasons, and the call to join.
import { Award, BookOpen, Briefcase, Handshake, MessageCircle, TrendingUp, Users } from 'lucide-react';
import { Link } from 'react-router';
import { addTexts } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import en from '@/locales/en/landing.json';
import fil from '@/locales/fil/landing.json';
import { paths } from '@/paths';
import { Seal } from '@/ui/brand-ornament';
import { buttonClass } from '@/ui/button';
import { FooterLinks } from '@/ui/footer-links';
import { HomeLink } from '@/ui/logo';
import { Hero } from './hero';

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

const claims = [
  ['10,000+', 'students'],
  ['200+', 'schools'],
  ['5,000+', 'jobs'],
  ['1,300+', 'connections'],
] as const;

/** The four claims under the hero. */
function Stats() {
  const { t } = useTranslation('landing');
  return (
    <section className="border-b bg-card">
      <dl className="mx-auto grid max-w-page grid-cols-2 px-4 md:grid-cols-4 md:px-6">
        {claims.map(([figure, claim]) => (
          <div
            key={claim}
            className="flex flex-col-reverse py-6 max-md:odd:pr-4 max-md:even:border-l max-md:even:pl-6 max-md:nth-[n+3]:border-t md:border-l md:py-9 md:pl-8 md:first:border-l-0 md:first:pl-0"
          >
            <dt className="mt-1 text-ui text-muted-foreground">{t(`stats.${claim}`)}</dt>
            <dd className="font-serif text-[1.875rem] leading-9 font-semibold tracking-[-0.015em] tabular-nums md:text-[2.375rem] md:leading-10">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const features = [
  ['network', Users],
  ['jobs', Briefcase],
  ['resources', BookOpen],
  ['community', MessageCircle],
] as const;

function Features() {
  const { t } = useTranslation('landing');
  return (
    <section className="mx-auto max-w-page px-4 py-14 md:px-6 md:py-20">
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-16">
        <h2 className="font-serif text-[1.875rem] leading-9 font-semibold tracking-[-0.014em] text-balance md:text-section md:leading-[2.625rem]">
          {t('features.title')}
        </h2>
        <div className="grid grid-cols-1 gap-x-12 gap-y-9 sm:grid-cols-2">
          {features.map(([feature, Icon]) => (
            <div key={feature} className="flex gap-4">
              <Icon className="icon-lg mt-0.5 text-gold-text" />
              <div>
                <h3 className="text-subhead">{t(`features.${feature}.title`)}</h3>
                <p className="mt-1 text-body text-muted-foreground">{t(`features.${feature}.text`)}</p>
              </div>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

const reasons = [
  ['career', TrendingUp],
  ['mentoring', Handshake],
  ['academic', Award],
] as const;

function Reasons() {
  const { t } = useTranslation('landing');
  return (
    <section className="border-y bg-card">
      <div className="mx-auto max-w-page px-4 py-14 md:px-6 md:py-18">
        <h2 className="font-serif text-[1.875rem] leading-9 font-semibold tracking-[-0.014em] md:text-section md:leading-[2.625rem]">
          {t('why.title')}
        </h2>
        <div className="mt-8 grid grid-cols-1 gap-8 md:mt-10 md:grid-cols-3 md:gap-0">
          {reasons.map(([reason, Icon]) => (
            <div key={reason} className="md:border-l md:px-8 md:first:border-l-0 md:first:pl-0">
              <Icon className="icon-lg text-gold-text" />
              <h3 className="mt-3 font-serif text-heading">{t(`why.${reason}.title`)}</h3>
              <p className="mt-1.5 text-body text-pretty text-muted-foreground">{t(`why.${reason}.text`)}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

/** The ink panel at the end: create a profile, or sign in. */
function CallToAction() {
  const { t } = useTranslation('landing');
  return (
    <section className="mx-auto max-w-page px-4 py-14 md:px-6 md:py-18">
      <div className="brand-ornament relative overflow-hidden rounded-xl py-12 pr-6 pl-14 [--ornament-margin:2.25rem] [--ornament-row:1.5rem] md:py-16 md:pl-22 md:[--ornament-margin:3.5rem] md:[--ornament-row:2rem]">
        <Seal className="-right-16 -bottom-16 hidden size-[22rem] md:block" />
        <div className="relative">
          <h2 className="max-w-[48rem] font-display text-display-sm text-balance text-on-ink md:text-display-md">
            {t('call.title')}
          </h2>
          <div className="mt-6 mb-3 flex flex-col gap-3 sm:mb-0 sm:flex-row md:mt-8 md:mb-4">
            <Link to={paths.register} className={buttonClass({ variant: 'gold', size: 'lg' })}>
              {t('call.create')}
            </Link>
            <Link to={paths.auth} className={buttonClass({ variant: 'on-ink', size: 'lg' })}>
              {t('call.signIn')}
            </Link>
          </div>
        </div>
      </div>
    </section>
  );
}
