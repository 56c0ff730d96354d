// The network's lists on their way.
import { Loading, Skeleton } from '@/ui/skeleton';

export function CardSkeletons() {
  return (
    <Loading className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
      {[0, 1, 2].map((card) => (
        <div key={card} className="card flex items-center gap-4 p-4 sm:flex-col sm:p-5">
          <Skeleton className="size-[3.25rem] rounded-full! sm:size-[4.5rem]" />
          <div className="w-full space-y-2 sm:flex sm:flex-col sm:items-center">
            <Skeleton className="h-3.5 w-3/5" />
            <Skeleton className="h-3 w-4/5" />
          </div>
        </div>
      ))}
    </Loading>
  );
}

export function RowSkeletons() {
  return (
    <Loading className="card divide-y">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-center gap-4 px-5 py-3.5">
          <Skeleton className="size-[3.25rem] rounded-full!" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-3.5 w-40" />
            <Skeleton className="h-3 w-60 max-w-full" />
          </div>
        </div>
      ))}
    </Loading>
  );
}
