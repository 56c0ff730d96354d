// The features of the network in four short paragraphs.
import { BookOpen, Briefcase, MessageCircle, Users } from 'lucide-react';
import { useTranslation } from '@/i18n/use-translation';

const features = [
  ['network', Users],
  ['jobs', Briefcase],
  ['resources', BookOpen],
  ['community', MessageCircle],
] as const;

export function Features() {
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
              <Icon className="icon-lg mt-0.5 text-gold-text" aria-hidden="true" />
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
