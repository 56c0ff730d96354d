// The ink panel at the top with the e-mail field and sample cards.
import { Link, useNavigate } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { LineNumbers } from '@/ui/brand-ornament';
import { buttonClass } from '@/ui/button';
import { SampleCards } from './sample-cards';

export function Hero() {
  const { t } = useTranslation('landing');
  return (
    <section className="brand-ornament relative overflow-hidden [--ornament-margin:2.25rem] [--ornament-row:1.5rem] md:[--ornament-margin:max(4.5rem,calc((100vw_-_78rem)/2_+_4.5rem))] md:[--ornament-row:2rem]">
      <LineNumbers
        count={30}
        className="w-[1.5rem] md:w-[max(3.625rem,calc((100vw_-_78rem)/2_+_3.625rem))]"
      />
      <div className="relative mx-auto grid max-w-page grid-cols-1 gap-12 py-18 pr-4 pl-14 md:min-h-[40rem] md:py-32 md:pr-6 md:pl-28 lg:py-0 xl:grid-cols-[minmax(0,1fr)_25rem] xl:gap-16">
        <div className="translate-y-0.5 md:translate-y-1 lg:pt-32">
          <h1 className="font-display text-display-sm text-balance text-on-ink md:text-display">
            {t('hero.title')}
          </h1>
          <p className="mt-6 max-w-[36rem] text-base leading-6 text-pretty text-on-ink-muted md:mt-8 md:text-[1.0625rem] md:leading-8">
            {t('hero.lead')}
          </p>
          <JoinForm />
          <Link
            to={paths.auth}
            className="mt-7 inline-block text-ui leading-8 font-medium text-on-ink underline decoration-on-ink-faint underline-offset-4 hover:decoration-on-ink-gold md:mt-4"
          >
            {t('hero.signIn')}
          </Link>
        </div>
        <SampleCards />
      </div>
    </section>
  );
}

/** The history state passes the part before '@' to the register tab; nothing is sent or stored. */
function JoinForm() {
  const { t } = useTranslation('landing');
  const navigate = useNavigate();
  const join = (form: FormData) => {
    const username = String(form.get('email') ?? '')
      .split('@')[0]
      ?.trim();
    void navigate(paths.register, { state: username ? { username } : null });
  };
  return (
    <form action={join} noValidate className="mt-6 flex max-w-[30rem] flex-col gap-3 sm:flex-row md:mt-8">
      <input
        type="email"
        name="email"
        autoComplete="email"
        aria-label={t('hero.email')}
        placeholder={t('hero.emailPlaceholder')}
        className="h-12 shrink-0 rounded-md bg-[oklch(1_0_0)] px-4 text-base text-[oklch(0.235_0.035_264)] placeholder:text-[oklch(0.53_0.024_262)] sm:min-w-0 sm:flex-1 sm:shrink"
      />
      <button type="submit" className={buttonClass({ variant: 'gold', size: 'lg' })}>
        {t('hero.join')}
      </button>
    </form>
  );
}
