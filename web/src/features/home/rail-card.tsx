// A card of the side columns: heading, items, and the loading, failed and empty states.
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Card, CardHeading } from '@/ui/card';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';

interface RailCardProps<Item> {
  title: string;
  /** Undefined while loading and after a failure. */
  items: Item[] | undefined;
  isPending: boolean;
  /** Two rows in the shape of the items: with three or none, the layout below moves little. */
  skeleton: ReactNode;
  /** The single line of an empty list. */
  empty: string;
  /** Tries to load the list again. */
  onRetry: () => unknown;
  /** A failed list shows a line; the page works without it. */
  children: (items: Item[]) => ReactNode;
  footer?: ReactNode;
}

export function RailCard<Item>({
  title,
  items,
  isPending,
  skeleton,
  empty,
  onRetry,
  children,
  footer,
}: RailCardProps<Item>) {
  const { t } = useTranslation(['home', 'shell']);
  return (
    // Receives the focus when the row of a focused button disappears.
    <Card className="p-5 pb-4 outline-none" aria-label={title} tabIndex={-1}>
      <CardHeading>{title}</CardHeading>
      {isPending ? (
        skeleton
      ) : items?.length ? (
        children(items)
      ) : (
        <p className="mt-3 text-caption text-muted-foreground">
          {items ? empty : `${t('unavailable')} `}
          {!items && (
            <button type="button" className="link reach font-medium" onClick={onRetry}>
              {t('shell:tryAgain')}
            </button>
          )}
        </p>
      )}
      {footer}
    </Card>
  );
}

interface RailSkeletonProps {
  /** Spacing as in the list. */
  className: string;
  /** The height of a row. */
  row: string;
  /** The size of the picture. */
  picture: string;
  lines?: 1 | 2;
}

export function RailSkeleton({ className, row, picture, lines = 2 }: RailSkeletonProps) {
  return (
    <LoadingRows count={2} className={className} row={`flex items-start gap-3 ${row}`}>
      <Skeleton className={`shrink-0 ${picture}`} />
      <Bars className="flex-1 space-y-2 pt-1" of={['h-3.5 w-4/5', 'h-3 w-2/5'].slice(0, lines)} />
    </LoadingRows>
  );
}
