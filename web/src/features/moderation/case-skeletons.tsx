// The shape of a list of cases.
import { Card } from '@/ui/card';
import { LoadingRows } from '@/ui/skeleton';

export function CaseSkeletons() {
  return (
    <Card>
      <LoadingRows
        className="divide-y"
        row="space-y-2 px-5 py-4"
        bars={['h-3.5 w-1/3', 'h-3 w-full', 'h-3 w-1/2']}
      />
    </Card>
  );
}
