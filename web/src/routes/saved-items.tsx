// 'My saved items': all saved items of the member, or one kind.

import { useSearchParams } from 'react-router';
import { savedKinds } from '@/api/saved';
import { SavedList } from '@/features/saved/saved-list';
import { useTranslation } from '@/i18n/use-translation';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { TabPanel, Tabs } from '@/ui/tabs';

const tabs = ['all', ...savedKinds] as const;

export function Component() {
  const { t } = useTranslation('saved');
  const [address, setAddress] = useSearchParams();
  const tab = tabs.find((one) => one === address.get('kind')) ?? 'all';
  return (
    <Page width="reading">
      <PageMeta page="savedItems" />
      <PageHeading title={t('title')} />
      <Tabs
        tabs={tabs.map((value) => ({ value, label: t(`tab.${value}`) }))}
        value={tab}
        onChange={(next) => setAddress(next === 'all' ? {} : { kind: next }, { replace: true })}
        label={t('tabs')}
        className="mb-5 max-md:-mx-4 max-md:px-4"
      >
        <TabPanel value={tab}>
          <SavedList key={tab} {...(tab !== 'all' && { kind: tab })} />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
