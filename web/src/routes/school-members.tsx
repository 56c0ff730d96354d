// The screen of a steward: the members of the school, and the log. For others it is the 404 screen.
import { useSearchParams } from 'react-router';
import { Decisions } from '@/features/verification/decisions';
import { Members } from '@/features/verification/members';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Card } from '@/ui/card';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { TabPanel, Tabs } from '@/ui/tabs';
import { Component as NotFound } from './not-found';

const panels = { members: Members, log: Decisions };
type Panel = keyof typeof panels;
const names = Object.keys(panels) as Panel[];

export function Component() {
  const { t } = useTranslation('verification');
  const { user } = useAuth();
  const [address, setAddress] = useSearchParams();
  if (!user?.stewardOf) return <NotFound />;
  const tab = names.find((name) => name === address.get('tab')) ?? 'members';
  const Shown = panels[tab];
  return (
    <Page>
      <PageMeta page="schoolMembers" />
      <PageHeading title={t('title')} />
      <Card className="mb-5 px-5 py-4">
        <p className="text-ui font-semibold wrap-anywhere">{t('stewardOf', { school: user.stewardOf })}</p>
        <p className="mt-1 max-w-measure text-ui text-pretty text-muted-foreground">{t('about')}</p>
      </Card>
      <Tabs
        label={t('title')}
        className="mb-5 max-md:-mx-4 max-md:px-4"
        tabs={names.map((value) => ({ value, label: t(`tabs.${value}`) }))}
        value={tab}
        onChange={(next) => setAddress(next === 'members' ? {} : { tab: next }, { replace: true })}
      >
        <TabPanel value={tab} tabIndex={-1} className="outline-none">
          <Shown />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
