// The loading state of a thread: bubbles on both sides.
import { Loading, Skeleton } from '@/ui/skeleton';

export function ThreadSkeleton() {
  return (
    <Loading className="flex min-h-0 flex-1 flex-col justify-end gap-1.5 overflow-hidden px-3 py-4 md:px-5">
      <Skeleton className="h-16 w-3/5 rounded-xl!" />
      <Skeleton className="ml-auto h-10 w-2/5 rounded-xl!" />
      <Skeleton className="ml-auto h-10 w-1/2 rounded-xl!" />
      <Skeleton className="h-10 w-1/3 rounded-xl!" />
    </Loading>
  );
}
