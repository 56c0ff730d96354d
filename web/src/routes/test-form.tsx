// The plain test form: a text field that echoes its value.
import { useState } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Card } from '@/ui/card';
import { TextField } from '@/ui/field';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('pages');
  const [value, setValue] = useState('');
  return (
    <Page className="max-w-measure!">
      <PageMeta page="test" />
      <PageHeading title={t('test.title')} />
      <Card className="p-4 md:p-5">
        <TextField label={t('test.input')} value={value} onChange={(event) => setValue(event.target.value)} />
        <output className="mt-3 block min-h-6 text-body whitespace-pre-wrap wrap-anywhere">
          {t('test.echo', { value })}
        </output>
      </Card>
    </Page>
  );
}
