// The ink panel at the end: create a profile, or sign in.

import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Seal } from '@/ui/brand-ornament';
import { buttonClass } from '@/ui/button';

export function CallToAction() {
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
