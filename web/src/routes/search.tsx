// The search screen: a query, four tabs, and an honest word while the server cannot search yet.
import { SearchIcon } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { TabPanel, Tabs } from '@/ui/tabs';

const tabs = ['people', 'posts', 'communities', 'resources'] as const;

export function Component() {
  const { t } = useTranslation('search');
  const [address, setAddress] = useSearchParams();
  const asked = address.get('q') ?? '';
  const [tab, setTab] = useState<(typeof tabs)[number]>('people');
  return (
    <Page>
      <PageMeta page="search" />
      <PageHeading title={t('title')} />
      <QueryField key={asked} asked={asked} onSearch={(q) => setAddress({ q })} />
      <Tabs
        tabs={tabs.map((value) => ({ value, label: t(value) }))}
        value={tab}
        onChange={setTab}
        label={t('tabs')}
        className="mb-5 max-md:-mx-4 max-md:px-4"
      >
        <TabPanel value={tab}>
          <Card>
            {asked ? (
              <Empty icon={SearchIcon} title={t('notYet')} hint={t('notYetHint')} />
            ) : (
              <Empty icon={SearchIcon} title={t('prompt')} />
            )}
          </Card>
        </TabPanel>
      </Tabs>
    </Page>
  );
}

function QueryField({ asked, onSearch }: { asked: string; onSearch: (query: string) => void }) {
  const { t } = useTranslation('search');
  const [query, setQuery] = useState(asked);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (query.trim()) onSearch(query.trim());
  };
  return (
    <search>
      <form onSubmit={submit} className="mb-3 flex gap-2.5">
        <input
          type="search"
          className="input"
          placeholder={t('field')}
          aria-label={t('field')}
          maxLength={200}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Button type="submit" className="h-10" disabled={!query.trim()}>
          {t('button')}
        </Button>
      </form>
    </search>
  );
}
