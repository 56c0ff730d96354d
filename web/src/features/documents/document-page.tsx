// A text page: about, privacy, terms and so on. Its content is in its locale files.
import { Link } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { Card } from '@/ui/card';
import { FooterLinks } from '@/ui/footer-links';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

type Document = 'about' | 'privacy' | 'terms' | 'cookies' | 'copyright';

interface Section {
  heading: string;
  paragraphs: string[];
  points: string[];
  /** Links to the screens that a section describes. */
  links: { to: string; label: string }[];
}

/** Needs the texts of its page. */
export function DocumentPage({ page }: { page: Document }) {
  const { t, i18n } = useTranslation(page);
  const sections: Section[] = i18n.getResource(i18n.language, page, 'sections');
  return (
    <Page width="reading">
      <PageMeta page={page} />
      <PageHeading title={t('title')} lead={t('lead')} />
      <Card className="space-y-7 p-5 md:p-8">
        {sections.map((section) => (
          <Part key={section.heading} {...section} />
        ))}
      </Card>
      <footer className="mt-5 px-1">
        <FooterLinks />
      </footer>
    </Page>
  );
}

function Part({ heading, paragraphs, points, links }: Section) {
  return (
    <section>
      <h2 className="font-serif text-heading wrap-anywhere">{heading}</h2>
      <div className="mt-2 max-w-measure space-y-3 text-body text-pretty wrap-anywhere">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {points.length > 0 && (
          <ul className="list-disc space-y-1.5 pl-5">
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        )}
        {links.length > 0 && (
          <p className="flex flex-wrap gap-x-5">
            {links.map(({ to, label }) => (
              <Link key={to} to={to} className="link py-0.5 text-ui font-medium">
                {label}
              </Link>
            ))}
          </p>
        )}
      </div>
    </section>
  );
}
