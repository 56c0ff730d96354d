// Law school resources by kind: the server's, then the three built-in ones.
import { useQuery } from '@tanstack/react-query';
import { LibraryBig } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { resourcesQuery } from '@/api/queries';
import type { Resource } from '@/api/types';
import { builtInResources } from '@/features/resources/built-in';
import { kindOf, ResourceCard, resourceKinds } from '@/features/resources/resource-card';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { Loading, Skeleton } from '@/ui/skeleton';
import { TabPanel, Tabs } from '@/ui/tabs';

const tabs = ['all', ...resourceKinds] as const;

export function Component() {
  const { t } = useTranslation('resources');
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((name) => name === search.get('type')) ?? 'all';
  const { data, isPending } = useQuery(resourcesQuery);
  return (
    <Page>
      <PageMeta page="resources" />
      <PageHeading title={t('title')} />
      <Tabs
        tabs={tabs.map((value) => ({ value, label: value === 'all' ? t('all') : t(`tab.${value}`) }))}
        value={tab}
        onChange={(next) => setSearch(next === 'all' ? {} : { type: next }, { replace: true })}
        label={t('tabs')}
        className="-mt-3 mb-5 max-md:-mx-4 max-md:px-4"
      >
        <TabPanel value={tab}>
          {isPending ? (
            <ResourceSkeletons />
          ) : data ? (
            <Resources
              resources={[...data, ...builtInResources].filter((r) => tab === 'all' || kindOf(r) === tab)}
            />
          ) : (
            <ErrorPanel>{t('failed')}</ErrorPanel>
          )}
        </TabPanel>
      </Tabs>
    </Page>
  );
}

function Resources({ resources }: { resources: Resource[] }) {
  const { t } = useTranslation('resources');
  if (resources.length === 0) {
    return (
      <Card>
        <Empty icon={LibraryBig} title={t('none')} />
      </Card>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3 lg:gap-5">
      {resources.map((resource) => (
        <ResourceCard key={resource.id} resource={resource} />
      ))}
    </div>
  );
}

function ResourceSkeletons() {
  return (
    <Loading className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3 lg:gap-5">
      {[0, 1, 2].map((card) => (
        <div key={card} className="card space-y-3 p-5">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-3.5 w-[95%]" />
          <Skeleton className="h-3.5 w-3/5" />
          <div className="pt-2">
            <Skeleton className="h-8 w-32" />
          </div>
        </div>
      ))}
    </Loading>
  );
}
