// The loading state of the lists of a steward.
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';

export function RowSkeletons() {
  return (
    <LoadingRows className="card divide-y" row="flex items-center gap-4 px-5 py-3.5">
      <Skeleton className="size-11 shrink-0 rounded-full!" />
      <Bars className="flex-1 space-y-2" of={['h-4 w-44 max-w-full', 'h-3 w-28']} />
    </LoadingRows>
  );
}
