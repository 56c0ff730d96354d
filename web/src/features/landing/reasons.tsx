// Why choose Portia: three reasons side by side.
import { Award, Handshake, TrendingUp } from 'lucide-react';
import { useTranslation } from '@/i18n/use-translation';

const reasons = [
  ['career', TrendingUp],
  ['mentoring', Handshake],
  ['academic', Award],
] as const;

export function Reasons() {
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
              <Icon className="icon-lg text-gold-text" aria-hidden="true" />
              <h3 className="mt-3 font-serif text-heading">{t(`why.${reason}.title`)}</h3>
              <p className="mt-1.5 text-body text-pretty text-muted-foreground">{t(`why.${reason}.text`)}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
