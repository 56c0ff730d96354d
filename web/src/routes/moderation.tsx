// The moderation screen: queue, appeals, suspensions, statistics and log. For others it is the 404 screen.
import { Appeals } from '@/features/moderation/appeals';
import { Log } from '@/features/moderation/log';
import { Queue } from '@/features/moderation/queue';
import { Statistics } from '@/features/moderation/statistics';
import { Suspensions } from '@/features/moderation/suspensions';
import { useCase } from '@/features/moderation/use-case';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { TabPanel, Tabs } from '@/ui/tabs';
import { Component as NotFound } from './not-found';

const panels = {
  queue: Queue,
  appeals: Appeals,
  suspensions: Suspensions,
  statistics: Statistics,
  log: Log,
};
type Panel = keyof typeof panels;
const names = Object.keys(panels) as Panel[];

export function Component() {
  const { t } = useTranslation('moderation');
  const { user } = useAuth();
  const { get, change } = useCase();
  if (!user?.moderator) return <NotFound />;
  const tab = names.find((name) => name === get('tab')) ?? 'queue';
  const Shown = panels[tab];
  return (
    <Page>
      <PageMeta page="moderation" />
      <PageHeading title={t('title')} />
      <Tabs
        label={t('title')}
        className="mb-5 max-md:-mx-4 max-md:px-4"
        tabs={names.map((value) => ({ value, label: t(`tabs.${value}`) }))}
        value={tab}
        onChange={(next) =>
          change({
            tab: next,
            state: null,
            report: null,
            appeal: null,
            against: null,
            kind: null,
            reason: null,
          })
        }
      >
        <TabPanel value={tab} tabIndex={-1} className="outline-none">
          <Shown />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
