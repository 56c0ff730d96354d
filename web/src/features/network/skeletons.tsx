// The loading states of the network lists.
import { Bars, Loading, LoadingRows, Skeleton } from '@/ui/skeleton';
import { personGrid } from './person-card';

/** `stacked` as on the cards: the buttons are below the text on a phone too. */
export function CardSkeletons({ stacked }: { stacked?: boolean }) {
  return (
    <Loading className={personGrid}>
      {[0, 1, 2].map((card) => (
        <div
          key={card}
          className={`card flex items-center gap-4 p-4 sm:flex-col sm:flex-nowrap sm:gap-0 sm:p-5 ${stacked ? 'flex-wrap gap-y-3' : ''}`}
        >
          <Skeleton className="size-[3.25rem] shrink-0 rounded-full! sm:size-[4.5rem]" />
          <Bars
            className="min-w-0 flex-1 space-y-2 sm:mt-4.5 sm:flex sm:w-full sm:flex-col sm:items-center"
            of={['h-3.5 w-3/5', 'h-3 w-4/5']}
          />
          <Skeleton
            className={`h-8 shrink-0 sm:mt-5.5 sm:w-full ${stacked ? 'max-sm:mr-20 max-sm:ml-[4.25rem] max-sm:flex-1' : 'w-20'}`}
          />
        </div>
      ))}
    </Loading>
  );
}

export function RowSkeletons() {
  return (
    <LoadingRows className="card divide-y" row="flex items-center gap-4 px-5 py-3.5">
      <Skeleton className="size-[3.25rem] rounded-full!" />
      <Bars className="flex-1 space-y-2" of={['h-3.5 w-40', 'h-3 w-60 max-w-full']} />
    </LoadingRows>
  );
}
