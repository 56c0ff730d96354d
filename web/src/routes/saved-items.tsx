// 'My saved items': all saved items of the member, or one kind.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Bookmark, CircleSlash } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { isSaved, savedIdsQuery, savedItemsQuery, savedKinds } from '@/api/saved';
import type { SavedItem, SavedKind } from '@/api/schema.gen';
import { EventRow } from '@/features/events/event-row';
import { JobCard } from '@/features/jobs/job-card';
import { ArticleCard } from '@/features/news/article-card';
import { PostCard } from '@/features/posts/post-card';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { builtInSaved } from '@/features/resources/built-in';
import { ResourceCard } from '@/features/resources/resource-card';
import { useSaving } from '@/features/saved/use-saving';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { EmptyCard } from '@/ui/empty';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { PagedList } from '@/ui/paged-list';
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

/** The items as the cards of their lists; a deleted one shows a placeholder and can be removed. Without a kind, all items. */
function SavedList({ kind }: { kind?: SavedKind }) {
  const { t } = useTranslation('saved');
  const { data: ids } = useQuery(savedIdsQuery);
  return (
    <PagedList
      query={useInfiniteQuery(savedItemsQuery(kind))}
      skeleton={<PostSkeletons />}
      failed={t('loadFailed')}
      more={t('more')}
      empty={<Nothing />}
    >
      {(items) => {
        // Hides a removed item before the refetch.
        const kept = items.filter((item) => !ids || isSaved(ids, item));
        if (kept.length === 0) return <Nothing />;
        return (
          <ul className="space-y-4">
            {kept.map((item) => (
              <li key={`${item.kind} ${item.id}`}>{cardOf(item) ?? <Gone item={item} />}</li>
            ))}
          </ul>
        );
      }}
    </PagedList>
  );
}

function cardOf({ kind, id, post, job, article, resource, event }: SavedItem): ReactNode {
  // The client renders its built-in resources itself.
  const known = resource ?? (kind === 'resource' ? builtInSaved(id) : null);
  if (post) return <PostCard post={post} />;
  if (job) return <JobCard job={job} />;
  if (article) return <ArticleCard article={article} lead={false} />;
  if (known) return <ResourceCard resource={known} />;
  if (event)
    return (
      <Card>
        <ul>
          <EventRow event={event} />
        </ul>
      </Card>
    );
  return null;
}

function Gone({ item }: { item: SavedItem }) {
  const { t } = useTranslation('saved');
  const { toggle } = useSaving(item);
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4 md:px-5">
      <CircleSlash className="icon text-muted-foreground" />
      <p className="min-w-0 flex-1 text-ui text-muted-foreground">{t(`gone.${item.kind}`)}</p>
      <Button variant="outline" size="sm" onClick={toggle}>
        {t('remove')}
      </Button>
    </Card>
  );
}

function Nothing() {
  const { t } = useTranslation('saved');
  return <EmptyCard icon={Bookmark} title={t('none')} hint={t('noneHint')} />;
}
