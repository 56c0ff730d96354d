// The saved items as the cards of their lists; a deleted item shows a placeholder and can be removed.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Bookmark, CircleSlash } from 'lucide-react';
import type { ReactNode } from 'react';
import { isSaved, savedIdsQuery, savedItemsQuery } from '@/api/saved';
import type { SavedItem, SavedKind } from '@/api/types';
import { EventRow } from '@/features/events/event-row';
import { JobCard } from '@/features/jobs/job-card';
import { ArticleCard } from '@/features/news/article-card';
import { PostCard } from '@/features/posts/post-card';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { builtInSaved } from '@/features/resources/built-in';
import { ResourceCard } from '@/features/resources/resource-card';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { PagedList } from '@/ui/paged-list';
import { useSaving } from './use-saving';

/** Without a kind, all items. Needs the texts of every kind. */
export function SavedList({ kind }: { kind?: SavedKind }) {
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
      <CircleSlash className="icon text-muted-foreground" aria-hidden="true" />
      <p className="min-w-0 flex-1 text-ui text-muted-foreground">{t(`gone.${item.kind}`)}</p>
      <Button variant="outline" size="sm" onClick={toggle}>
        {t('remove')}
      </Button>
    </Card>
  );
}

function Nothing() {
  const { t } = useTranslation('saved');
  return (
    <Card>
      <Empty icon={Bookmark} title={t('none')} hint={t('noneHint')} />
    </Card>
  );
}
