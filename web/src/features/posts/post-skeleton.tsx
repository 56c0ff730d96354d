// The loading state of a post.
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';

export function PostSkeletons({ count = 3 }: { count?: number }) {
  return (
    <LoadingRows count={count} className="space-y-4" row="card px-4 py-4 md:px-5">
      <div className="flex gap-3">
        <Skeleton className="size-11 rounded-full!" />
        <Bars className="flex-1 space-y-2 pt-1" of={['h-3.5 w-36', 'h-3 w-52 max-w-full']} />
      </div>
      <Bars className="mt-4 space-y-2.5" of={['h-3.5 w-[95%]', 'h-3.5 w-[88%]', 'h-3.5 w-3/5']} />
      <div className="mt-5 border-t pt-3">
        <Skeleton className="h-3 w-40" />
      </div>
    </LoadingRows>
  );
}
