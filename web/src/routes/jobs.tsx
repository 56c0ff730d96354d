// Legal jobs and internships: stats, filters and tab in the address, postings, and the member's applications.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { itemsOf } from '@/api/pages';
import type { JobFilters } from '@/api/queries';
import { applicationsQuery } from '@/api/queries';
import { ApplicationSkeletons, Applications } from '@/features/jobs/applications';
import { Filters, jobFilters } from '@/features/jobs/filters';
import { JobList } from '@/features/jobs/job-list';
import { RefreshButton } from '@/features/jobs/refresh-button';
import { JobStatsCard } from '@/features/jobs/stats';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { useFilters } from '@/ui/filters';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { TabPanel, Tabs } from '@/ui/tabs';

type Tab = 'browse' | 'applications';

export function Component() {
  const { t } = useTranslation('jobs');
  const { user, isLoading } = useAuth();
  const [tab, show] = useTab(user !== null || isLoading);
  const [filters, change] = useFilters<JobFilters>(jobFilters);
  const { count, more } = useApplicationCount(user !== null);
  return (
    <Page>
      <PageMeta page="jobs" />
      <PageHeading title={t('title')} action={<RefreshButton />} />
      <JobStatsCard />
      <Tabs
        tabs={[
          { value: 'browse', label: t('browse') },
          { value: 'applications', label: t('applications'), count, more, disabled: !user },
        ]}
        value={tab}
        onChange={show}
        label={t('tabs')}
        className="mt-4 mb-4 max-md:-mx-4 max-md:px-4 md:mt-5"
      >
        <TabPanel value="browse">
          <Filters filters={filters} onChange={change} />
          <JobList filters={filters} />
        </TabPanel>
        <TabPanel value="applications">{user ? <Applications /> : <ApplicationSkeletons />}</TabPanel>
      </Tabs>
      <p className="mx-auto mt-8 mb-4 max-w-measure border-t pt-5 text-center text-caption text-balance text-muted-foreground">
        {t('footer')}{' '}
        <Link to={paths.status} className="link underline underline-offset-3">
          {t('sources')}
        </Link>
      </p>
    </Page>
  );
}

/** The tab of the address, beside the filters; always the first one for a visitor. */
function useTab(hasApplications: boolean) {
  const [address, setAddress] = useSearchParams();
  const tab: Tab = hasApplications && address.get('tab') === 'applications' ? 'applications' : 'browse';
  const show = (next: Tab) =>
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === 'browse') after.delete('tab');
        else after.set('tab', next);
        return after;
      },
      { replace: true },
    );
  return [tab, show] as const;
}

/** The number of loaded applications, and whether there are more; a visitor has none. */
function useApplicationCount(isMember: boolean) {
  const { data, hasNextPage } = useInfiniteQuery({ ...applicationsQuery, enabled: isMember });
  return { count: isMember ? data && itemsOf(data).length : 0, more: hasNextPage };
}
