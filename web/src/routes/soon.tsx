// A screen that links already lead to and that has nothing to show yet; it says so.
import { Hammer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation(['pages', 'shell']);
  return (
    <Page>
      <PageMeta page="soon" />
      <PageHeading title={t('soon.title')} />
      <Card>
        <Empty
          icon={Hammer}
          title={t('soon.description')}
          action={
            <Link to={paths.home} className={buttonClass({ variant: 'outline' })}>
              {t('shell:nav.home')}
            </Link>
          }
        />
      </Card>
    </Page>
  );
}
