// A card of the side columns: heading, and what it shows while its list comes, fails or is empty.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card, CardHeading } from '@/ui/card';
import { Loading, Skeleton } from '@/ui/skeleton';

interface RailCardProps<Item> {
  title: string;
  query: Pick<UseQueryResult<Item[]>, 'data' | 'isPending'>;
  /** The single line in place of an empty list. */
  empty: string;
  /** A list that failed says so in a line; the page goes on without it. */
  children: (items: Item[]) => ReactNode;
  footer?: ReactNode;
}

export function RailCard<Item>({ title, query, empty, children, footer }: RailCardProps<Item>) {
  const { t } = useTranslation('home');
  const line = query.data ? empty : t('unavailable');
  return (
    <Card className="p-5 pb-4" aria-label={title}>
      <CardHeading>{title}</CardHeading>
      {query.isPending ? (
        <RailSkeleton />
      ) : query.data?.length ? (
        children(query.data)
      ) : (
        <p className="mt-3 text-caption text-muted-foreground">{line}</p>
      )}
      {footer}
    </Card>
  );
}

function RailSkeleton() {
  return (
    <Loading className="mt-4 space-y-4">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex gap-3">
          <Skeleton className="size-9" />
          <div className="flex-1 space-y-2 pt-1">
            <Skeleton className="h-3.5 w-4/5" />
            <Skeleton className="h-3 w-2/5" />
          </div>
        </div>
      ))}
    </Loading>
  );
}
