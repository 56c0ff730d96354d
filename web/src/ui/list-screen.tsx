// A screen that is one list in one card: loading, failed, empty, rows.
import type { UseQueryResult } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './card';
import { Empty } from './empty';
import { ErrorPanel } from './error-panel';
import { Page, PageHeading } from './page';
import { Loading, Skeleton } from './skeleton';

interface ListScreenProps<Item> {
  texts: { title: string; none: string; failed: string };
  icon: LucideIcon;
  query: Pick<UseQueryResult<Item[]>, 'data' | 'isPending'>;
  /** One row, with its key. */
  children: (item: Item) => ReactNode;
}

export function ListScreen<Item>({ texts, icon, query, children }: ListScreenProps<Item>) {
  return (
    <Page>
      <PageHeading title={texts.title} />
      {query.isPending ? (
        <Loading className="card space-y-5 p-5">
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} className="h-9 w-4/5" />
          ))}
        </Loading>
      ) : query.data ? (
        <Card className="divide-y overflow-hidden">
          {query.data.length > 0 ? query.data.map(children) : <Empty icon={icon} title={texts.none} />}
        </Card>
      ) : (
        <ErrorPanel>{texts.failed}</ErrorPanel>
      )}
    </Page>
  );
}
