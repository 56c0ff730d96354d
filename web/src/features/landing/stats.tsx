// The four claims under the hero.
import { useTranslation } from '@/i18n/use-translation';

const claims = [
  ['10,000+', 'students'],
  ['200+', 'schools'],
  ['5,000+', 'jobs'],
  ['1,300+', 'connections'],
] as const;

export function Stats() {
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
