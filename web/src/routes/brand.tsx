// Logos for download, colours, typefaces, and their use.
import { Download } from 'lucide-react';
import { useTranslation } from '@/i18n/use-translation';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { FooterLinks } from '@/ui/footer-links';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

/** Files of `public/brand` with their display sizes. */
const logos = [
  ['portia-logo', 184, 51],
  ['portia-mark', 64, 64],
  ['portia-icon', 24, 24],
] as const;

const colours = [
  ['ink', '#0f1f47'],
  ['seal', '#e0ad38'],
  ['paper', '#f7f9fc'],
] as const;

const rules = ['space', 'colour', 'photo', 'face', 'words'] as const;

export function Component() {
  const { t } = useTranslation('brand');
  return (
    <Page width="reading">
      <PageMeta page="brand" />
      <PageHeading title={t('title')} lead={t('lead')} />
      <div className="space-y-4">
        <Card className="p-5 md:p-8">
          <Heading>{t('logos')}</Heading>
          <ul className="mt-4 grid grid-cols-1 gap-4 sm:grid-cols-3">
            {logos.map(([name, width, height]) => (
              <li key={name} className="flex flex-col rounded-lg border">
                {/* White in both themes: the files follow the system's theme, not Portia's. */}
                <span className="grid h-32 place-items-center rounded-t-lg bg-white [color-scheme:light]">
                  <img src={`/brand/${name}.svg`} alt="" width={width} height={height} />
                </span>
                <span className="flex flex-1 flex-col items-start gap-3 border-t p-4">
                  <span className="text-ui font-semibold">{t(`logo.${name}`)}</span>
                  <a
                    href={`/brand/${name}.svg`}
                    download
                    aria-label={t('downloadNamed', { name: t(`logo.${name}`) })}
                    className={buttonClass({ variant: 'outline', size: 'sm', className: 'mt-auto' })}
                  >
                    <Download className="icon-sm" />
                    {t('download')}
                  </a>
                </span>
              </li>
            ))}
          </ul>
        </Card>
        <Card className="space-y-7 p-5 md:p-8">
          <section>
            <Heading>{t('meaning')}</Heading>
            <p className="mt-2 max-w-measure text-body text-pretty">{t('meaningText')}</p>
          </section>
          <section>
            <Heading>{t('colours')}</Heading>
            <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-3">
              {colours.map(([name, value]) => (
                <li key={name} className="flex items-center gap-3">
                  <span
                    className="size-10 rounded-md border"
                    style={{ background: value }}
                    aria-hidden="true"
                  />
                  <span>
                    <span className="block text-ui font-semibold">{t(`colour.${name}`)}</span>
                    <span className="block text-micro text-muted-foreground tabular-nums">{value}</span>
                  </span>
                </li>
              ))}
            </ul>
          </section>
          <section>
            <Heading>{t('type')}</Heading>
            <p className="mt-2 max-w-measure text-body text-pretty">{t('typeText')}</p>
          </section>
          <section>
            <Heading>{t('rules')}</Heading>
            <ul className="mt-2 max-w-measure list-disc space-y-1.5 pl-5 text-body">
              {rules.map((rule) => (
                <li key={rule}>{t(`rule.${rule}`)}</li>
              ))}
            </ul>
          </section>
        </Card>
      </div>
      <footer className="mt-5 px-1">
        <FooterLinks />
      </footer>
    </Page>
  );
}

function Heading({ children }: { children: string }) {
  return <h2 className="font-serif text-heading">{children}</h2>;
}
