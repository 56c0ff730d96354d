// The placeholder of the lists of the tab Manage.
import { Loading, Skeleton } from '@/ui/skeleton';

export function ManageSkeletons() {
  return (
    <Loading className="card divide-y">
      {[0, 1, 2].map((row) => (
        <div key={row} className="space-y-2 px-4 py-3.5 md:px-5">
          <Skeleton className="h-3.5 w-60 max-w-full" />
          <Skeleton className="h-3 w-32" />
        </div>
      ))}
    </Loading>
  );
}
