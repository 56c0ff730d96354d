// The placeholder of the lists of the tab Manage.
import { LoadingRows } from '@/ui/skeleton';

export function ManageSkeletons() {
  return (
    <LoadingRows
      className="card divide-y"
      row="space-y-2 px-4 py-3.5 md:px-5"
      bars={['h-3.5 w-60 max-w-full', 'h-3 w-32']}
    />
  );
}
