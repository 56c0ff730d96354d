// A list that comes page by page: loading, failed, empty, its items, and the button that fetches more.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { Button } from './button';
import { ErrorPanel } from './error-panel';
import { useIncrementalList } from './incremental-list';

interface PagedListProps<Item> {
  query: Pick<
    UseInfiniteQueryResult<InfiniteData<{ items: Item[]; degraded: boolean }>>,
    'data' | 'isPending' | 'isError' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** In the shape of what comes. */
  skeleton: ReactNode;
  /** The sentence in place of a list that failed; a page that fails later leaves what is there and says so under it. */
  failed: string;
  /** In place of a list with nothing in it. */
  empty: ReactNode;
  /** The button that fetches the next page. */
  more: string;
  /** Of items that take their time: what comes is drawn in slices, between which the page answers. */
  inSlices?: boolean;
  /** `begins` is said of the first ones: what belongs behind all of them waits for the others. */
  children: (items: Item[], begins: boolean) => ReactNode;
}

export function PagedList<Item>(props: PagedListProps<Item>) {
  const { query, skeleton, failed, empty, inSlices } = props;
  const wasPending = useDeferredValue(query.isPending);
  if (query.isPending || (inSlices && wasPending)) return skeleton;
  if (!query.data) return <ErrorPanel>{failed}</ErrorPanel>;
  const items = query.data.pages.flatMap((page) => page.items);
  // An empty list without its service is not known to be empty.
  if (items.length === 0) return query.data.pages[0]?.degraded ? <ErrorPanel>{failed}</ErrorPanel> : empty;
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
  const { drawn, begins } = useIncrementalList(items, inSlices ? 3 : undefined);
  return (
    <div className="space-y-4">
      {children(drawn, begins)}
      {query.isError && <ErrorPanel>{failed}</ErrorPanel>}
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
