// Connections, requests and suggestions, with a left menu and tabs.
import { useInfiniteQuery } from '@tanstack/react-query';
import { type LucideIcon, UserCheck, UserPlus, Users } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { keepItems, totalOf } from '@/api/pages';
import { connectionsQuery, pendingRequestsQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { Connections } from '@/features/network/connections';
import { usePendingAnswers } from '@/features/network/mutations';
import { Requests } from '@/features/network/requests';
import { Suggestions } from '@/features/network/suggestions';
import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Page } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { TabPanel, Tabs } from '@/ui/tabs';

const sections = [
  ['connections', Users],
  ['requests', UserPlus],
  ['suggestions', UserCheck],
] as const satisfies readonly (readonly [string, LucideIcon])[];

type Section = (typeof sections)[number][0];

export function Component() {
  const { user } = useAuth();
  return (
    <Page>
      <PageMeta page="network" />
      {user && <Network user={user} />}
    </Page>
  );
}

function Network({ user }: { user: User }) {
  const { t } = useTranslation('network');
  const [search, setSearch] = useSearchParams();
  const section = sections.find(([name]) => name === search.get('tab'))?.[0] ?? 'connections';
  const show = (next: Section) => setSearch(next === 'connections' ? {} : { tab: next }, { replace: true });
  const connections = useInfiniteQuery(connectionsQuery(user.id)).data;
  const requests = useInfiniteQuery(pendingRequestsQuery(user.id)).data;
  const answering = usePendingAnswers();
  const counts: Partial<Record<Section, number>> = {
    connections: totalOf(connections),
    requests: totalOf(keepItems(requests, ({ id }) => !answering.includes(id))),
  };

  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[15rem_minmax(0,1fr)] md:gap-6 xl:grid-cols-[16rem_minmax(0,1fr)]">
      <Menu section={section} counts={counts} onChange={show} />
      <div className="min-w-0">
        <h1 className="font-serif text-title max-sm:text-[1.625rem]">{t('title')}</h1>
        <Tabs
          tabs={sections.map(([value]) => ({ value, label: t(value), count: counts[value] }))}
          value={section}
          onChange={show}
          label={t('title')}
          className="mt-2 mb-5 max-md:-mx-4 max-md:px-4"
        >
          <TabPanel value="connections">
            <Connections user={user} onFind={() => show('suggestions')} />
          </TabPanel>
          <TabPanel value="requests">
            <Requests user={user} />
          </TabPanel>
          <TabPanel value="suggestions">
            <Suggestions user={user} />
          </TabPanel>
        </Tabs>
      </div>
    </div>
  );
}

interface MenuProps {
  section: Section;
  counts: Partial<Record<Section, number>>;
  onChange: (section: Section) => void;
}

function Menu({ section, counts, onChange }: MenuProps) {
  const { t, i18n } = useTranslation('network');
  return (
    <aside className="card p-2 max-md:hidden">
      <nav aria-label={t('menu')}>
        {sections.map(([name, Icon]) => {
          const current = name === section;
          const count = counts[name];
          return (
            <button
              key={name}
              type="button"
              aria-current={current ? 'true' : undefined}
              className={`flex w-full items-center gap-2.5 rounded-md px-3 py-2.5 text-left text-ui font-medium -outline-offset-2 ${current ? 'bg-selected' : 'text-muted-foreground hover:bg-hover'}`}
              onClick={() => onChange(name)}
            >
              <Icon className="icon-sm" />
              <span className="min-w-0 flex-1">{t(name)}</span>
              {count !== undefined && (
                <span className={`text-caption tabular-nums ${current ? 'font-semibold' : ''}`}>
                  {formatNumber(i18n.language, count)}
                </span>
              )}
            </button>
          );
        })}
      </nav>
    </aside>
  );
}
