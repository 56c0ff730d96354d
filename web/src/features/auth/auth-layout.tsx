// The form on the left; from 1024 px the ink panel with the tagline on the right.
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { LineNumbers, Seal } from '@/ui/brand-ornament';

export function AuthLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation('auth');
  return (
    <div className="grid grid-cols-1 bg-card max-md:min-h-[calc(100dvh-7.5rem)] md:min-h-[calc(100dvh-4rem)] lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
      <div className="flex items-start justify-center px-4 pt-6 pb-10 md:items-center md:px-8 md:py-10">
        <div className="w-full max-w-[28rem]">{children}</div>
      </div>
      <aside className="brand-ornament relative hidden overflow-hidden lg:block">
        <LineNumbers count={32} className="w-10" />
        <Seal className="-right-24 bottom-16 size-[26rem]" />
        <div className="relative translate-y-1 pt-32 pr-12 pl-22">
          <p className="max-w-[28rem] font-display text-display-md text-balance text-on-ink">
            {t('side.title')}
          </p>
          <p className="mt-8 max-w-[25rem] text-[1.0625rem] leading-8 text-on-ink-muted">{t('side.text')}</p>
        </div>
      </aside>
    </div>
  );
}
