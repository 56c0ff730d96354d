// The description and the rules of a community.
import type { CommunityDetails } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { Card, CardHeading } from '@/ui/card';

export function About({ community: { description, rules, createdAt } }: { community: CommunityDetails }) {
  const { t, i18n } = useTranslation('communities');
  const since = formatDate(i18n.language, createdAt, { dateStyle: 'long' });
  return (
    <div className="space-y-4">
      <Card className="p-4 md:p-5" aria-label={t('tab.about')}>
        <CardHeading>{t('tab.about')}</CardHeading>
        <Words text={description} none={t('noDescription')} />
        {since && <p className="mt-3 text-caption text-muted-foreground">{t('since', { date: since })}</p>}
      </Card>
      <Card className="p-4 md:p-5" aria-label={t('rules')}>
        <CardHeading>{t('rules')}</CardHeading>
        <Words text={rules} none={t('noRules')} />
      </Card>
    </div>
  );
}

function Words({ text, none }: { text: string | null; none: string }) {
  return (
    <p
      dir="auto"
      className={`mt-2 max-w-measure whitespace-pre-line text-body wrap-anywhere ${text ? '' : 'text-muted-foreground'}`}
    >
      {text ?? none}
    </p>
  );
}
