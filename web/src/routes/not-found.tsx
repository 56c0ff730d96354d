// The 404 screen.
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { LineNumbers, Seal } from '@/ui/brand-ornament';
import { buttonClass } from '@/ui/button';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation(['pages', 'shell']);
  return (
    <div className="grid min-h-[calc(100dvh-4rem)] place-items-center px-4 py-10 max-md:min-h-[calc(100dvh-7.5rem)]">
      <PageMeta page="notFound" />
      <section className="brand-ornament relative w-full max-w-[44rem] overflow-hidden rounded-xl shadow-raised [--ornament-margin:2.5rem] [--ornament-row:1.5rem] md:[--ornament-margin:4.5rem] md:[--ornament-row:2rem]">
        <LineNumbers count={16} className="w-[1.625rem] md:w-[3.375rem]" />
        <Seal className="-right-20 -bottom-24 size-72 md:size-80" />
        <div className="relative translate-y-0.5 py-12 pr-6 pl-[3.75rem] md:translate-y-1 md:py-24 md:pr-14 md:pl-28">
          <h1 className="font-display text-display-sm text-balance text-on-ink md:text-display-md">
            {t('notFound.title')}
          </h1>
          <p className="mt-6 text-base leading-6 text-on-ink-muted md:mt-0 md:text-[1.0625rem] md:leading-8">
            {t('notFound.description')}
          </p>
          <Link
            to={paths.home}
            className={buttonClass({ variant: 'gold', className: 'mt-6 mb-3 md:mt-8 md:mb-7' })}
          >
            {t('shell:nav.home')}
          </Link>
        </div>
      </section>
    </div>
  );
}
