// The search screen: query and kind in the address, and the results.
import { useQueryClient } from '@tanstack/react-query';
import { SearchIcon } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router';
import { queryLimits } from '@/api/query-limits.gen';
import type { SearchType } from '@/api/schema.gen';
import { foundKey, searchKinds } from '@/api/search';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { lazy } from '@/ui/lazy';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { TabPanel, Tabs } from '@/ui/tabs';

/** The cards of six kinds; an empty query does not load them. */
const Results = lazy(async () => (await import('@/features/search/results')).Results, 'essential');

export function Component() {
  const { t } = useTranslation('search');
  const queryClient = useQueryClient();
  const [address, setAddress] = useSearchParams();
  const asked = (address.get('q') ?? '').trim();
  const kind = searchKinds.find((one) => one === address.get('type')) ?? 'people';
  const show = (q: string, next: SearchType, options?: { replace: boolean }) =>
    setAddress({ ...(q && { q }), ...(next !== 'people' && { type: next }) }, options);
  const search = (q: string) => {
    // The same query again: pressing the button requests current results.
    if (q === asked) void queryClient.invalidateQueries({ queryKey: [...foundKey(kind), q] });
    else show(q, kind);
  };
  return (
    <Page>
      <PageMeta page="search" />
      <PageHeading title={t('title')} />
      <QueryField key={asked} asked={asked} onSearch={search} />
      <Tabs
        tabs={searchKinds.map((value) => ({ value, label: t(value) }))}
        value={kind}
        onChange={(next) => show(asked, next, { replace: true })}
        label={t('tabs')}
        className="mb-5 max-md:-mx-4 max-md:px-4"
      >
        <TabPanel value={kind}>
          {asked ? (
            <Results key={`${kind} ${asked}`} kind={kind} q={asked} />
          ) : (
            <EmptyCard icon={SearchIcon} title={t('prompt')} />
          )}
        </TabPanel>
      </Tabs>
    </Page>
  );
}

function QueryField({ asked, onSearch }: { asked: string; onSearch: (query: string) => void }) {
  const { t } = useTranslation('search');
  const [query, setQuery] = useState(asked);
  const field = useRef<HTMLInputElement>(null);
  const asksFocus = useLocation().state?.focusField === true;
  const isNew = useNavigationType() === 'PUSH';
  useEffect(() => {
    if (asksFocus && isNew) field.current?.focus();
  }, [asksFocus, isNew]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (query.trim()) onSearch(query.trim());
  };
  return (
    <search>
      <form onSubmit={submit} className="mb-3 flex gap-2.5">
        <input
          ref={field}
          type="search"
          className="input"
          placeholder={t('field')}
          aria-label={t('field')}
          aria-keyshortcuts="/"
          maxLength={queryLimits.search.q.max}
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
