// The shape of a list of cases.
import { Card } from '@/ui/card';
import { LoadingRows, Skeleton } from '@/ui/skeleton';

export function CaseSkeletons() {
  return (
    <Card>
      <LoadingRows className="divide-y" row="space-y-2 px-5 py-4">
        <Skeleton className="h-3.5 w-1/3" />
        <Skeleton className="h-3 w-full" />
        <Skeleton className="h-3 w-1/2" />
      </LoadingRows>
    </Card>
  );
}
