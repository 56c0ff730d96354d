// A paginated list: loading, failed and empty states, items or a card of rows, and the button that loads more.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { Button } from './button';
import { Card } from './card';
import { ErrorPanel } from './error-panel';
import { useIncrementalList } from './incremental-list';

interface PagedListProps<Item> {
  query: Pick<
    UseInfiniteQueryResult<InfiniteData<{ items: Item[]; degraded: boolean }>>,
    | 'data'
    | 'isPending'
    | 'isError'
    | 'isFetchNextPageError'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'fetchNextPage'
    | 'refetch'
  >;
  /** In the shape of the items. */
  skeleton: ReactNode;
  /** The error of a failed list; after a failed further page, it is shown below the loaded items. */
  failed: string;
  /** Replaces an empty list. */
  empty: ReactNode;
  /** The label of the button that loads the next page. */
  more: string;
  /** For items that are slow to draw: draws them in slices, so that the page stays responsive. */
  inSlices?: boolean;
  /** `begins`: only the first items are drawn, so content after the last item must wait. */
  children: (items: Item[], begins: boolean) => ReactNode;
}

interface PagedCardProps<Item> extends Omit<PagedListProps<Item>, 'children'> {
  label?: string;
  /** The order of the rows has a meaning. */
  ordered?: boolean;
  /** A row: an `<li>` with a key. */
  children: (item: Item) => ReactNode;
}

/** A list whose items are the rows of one card. */
export function PagedCard<Item>({ label, ordered, children, ...list }: PagedCardProps<Item>) {
  const List = ordered ? 'ol' : 'ul';
  return (
    <PagedList {...list}>
      {(items) => (
        <Card className="overflow-hidden" aria-label={label}>
          <List className="divide-y">{items.map(children)}</List>
        </Card>
      )}
    </PagedList>
  );
}

export function PagedList<Item>(props: PagedListProps<Item>) {
  const { query, skeleton, failed, empty, inSlices } = props;
  const wasPending = useDeferredValue(query.isPending);
  if (query.isPending || (inSlices && wasPending)) return skeleton;
  const again = <ErrorPanel onRetry={() => void query.refetch()}>{failed}</ErrorPanel>;
  if (!query.data) return again;
  const items = query.data.pages.flatMap((page) => page.items);
  // A degraded empty list may not be empty; nor one with another page, when the server left out a whole page.
  if (items.length === 0 && !query.hasNextPage) return query.data.pages[0]?.degraded ? again : empty;
  return <Items items={items} {...props} />;
}

function Items<Item>({
  items,
  query,
  failed,
  more,
  inSlices,
  children,
}: PagedListProps<Item> & { items: Item[] }) {
  const { drawn, begins } = useIncrementalList(items, inSlices ? 2 : undefined);
  const again = () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch());
  return (
    <div className="space-y-4">
      {children(drawn, begins)}
      {query.isError && <ErrorPanel onRetry={again}>{failed}</ErrorPanel>}
      {query.hasNextPage && !begins && (
        <Button
          variant="outline"
          className="w-full"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {more}
        </Button>
      )}
    </div>
  );
}
