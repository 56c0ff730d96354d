// Law school resources by kind, the server's before the three built-in ones, and suggesting one.
import { useInfiniteQuery } from '@tanstack/react-query';
import { LibraryBig, Plus } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { resourcesQuery } from '@/api/queries';
import type { Resource } from '@/api/schema.gen';
import { builtInResources } from '@/features/resources/built-in';
import { resourceKinds } from '@/features/resources/kind';
import { ResourceCard, ResourceSkeletons, resourceGrid } from '@/features/resources/resource-card';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { lazy } from '@/ui/lazy';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { PagedList } from '@/ui/paged-list';
import { TabPanel, Tabs } from '@/ui/tabs';
import { useDialog } from '@/ui/use-dialog';

const SuggestDialog = lazy(
  async () => (await withTexts(import('@/features/resources/suggest-dialog'), 'forms')).SuggestDialog,
);
const tabs = ['all', ...resourceKinds] as const;
type Tab = (typeof tabs)[number];

export function Component() {
  const { t } = useTranslation('resources');
  const { user } = useAuth();
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((name) => name === search.get('type')) ?? 'all';
  const suggesting = useDialog(SuggestDialog, {});
  return (
    <Page>
      <PageMeta page="resources" />
      <PageHeading
        title={t('title')}
        action={
          user && (
            <Button
              variant="outline"
              className="shrink-0 max-sm:w-9 max-sm:px-0"
              aria-label={t('suggest')}
              aria-haspopup="dialog"
              onClick={suggesting.open}
            >
              <Plus className="icon-sm" />
              <span className="max-sm:hidden">{t('suggest')}</span>
            </Button>
          )
        }
      />
      <Tabs
        tabs={tabs.map((value) => ({ value, label: value === 'all' ? t('all') : t(`tab.${value}`) }))}
        value={tab}
        onChange={(next) => setSearch(next === 'all' ? {} : { type: next }, { replace: true })}
        label={t('tabs')}
        className="-mt-3 mb-5 max-md:-mx-4 max-md:px-4"
      >
        <TabPanel value={tab}>
          <Resources key={tab} tab={tab} />
        </TabPanel>
      </Tabs>
      {suggesting.dialog}
    </Page>
  );
}

function Resources({ tab }: { tab: Tab }) {
  const { t } = useTranslation('resources');
  const all = tab === 'all';
  return (
    <PagedList
      query={useInfiniteQuery(resourcesQuery(all ? undefined : tab))}
      skeleton={<ResourceSkeletons />}
      failed={t('failed')}
      more={t('more')}
      empty={all ? <Grid resources={builtInResources} /> : <EmptyCard icon={LibraryBig} title={t('none')} />}
    >
      {(resources, begins) => (
        <Grid resources={all && !begins ? [...resources, ...builtInResources] : resources} />
      )}
    </PagedList>
  );
}

function Grid({ resources }: { resources: readonly Resource[] }) {
  return (
    <div className={resourceGrid}>
      {resources.map((resource) => (
        <ResourceCard key={resource.id} resource={resource} />
      ))}
    </div>
  );
}
