// Legal jobs and internships: stats, filters in the address, postings, and the member's applications.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { applicationsQuery } from '@/api/queries';
import type { JobFilters } from '@/api/types';
import { Applications } from '@/features/jobs/applications';
import { Filters, jobFilters } from '@/features/jobs/filters';
import { JobList } from '@/features/jobs/job-list';
import { JobStatsCard } from '@/features/jobs/stats';
import { useAuth } from '@/session/auth';
import { useFilters } from '@/ui/filters';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { TabPanel, Tabs } from '@/ui/tabs';

export function Component() {
  const { t } = useTranslation('jobs');
  const { user } = useAuth();
  const [tab, setTab] = useState<'browse' | 'applications'>('browse');
  const { data: applications } = useQuery({ ...applicationsQuery, enabled: Boolean(user) });
  const [filters, change] = useFilters<JobFilters>(jobFilters);

  return (
    <Page>
      <PageMeta page="jobs" />
      <PageHeading title={t('title')} />
      <JobStatsCard />
      <Tabs
        tabs={[
          { value: 'browse', label: t('browse') },
          {
            value: 'applications',
            label: t('applications'),
            count: applications?.length ?? 0,
            disabled: !user,
          },
        ]}
        value={user ? tab : 'browse'}
        onChange={setTab}
        label={t('tabs')}
        className="mt-4 mb-4 md:mt-5"
      >
        <TabPanel value="browse">
          <Filters filters={filters} onChange={change} />
          <JobList filters={filters} />
        </TabPanel>
        <TabPanel value="applications">
          <Applications />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
