// The attendees of an event, in the order of their acceptance.
import { useInfiniteQuery } from '@tanstack/react-query';
import { attendeesQuery } from '@/api/queries';
import type { EventDetails } from '@/api/schema.gen';
import { PersonName } from '@/features/network/person-name';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Card, CardHeading } from '@/ui/card';
import { PagedList } from '@/ui/paged-list';
import { LoadingRows, Skeleton } from '@/ui/skeleton';

const grid = 'grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2';

export function Attendees({ event: { id, attendeeCount } }: { event: EventDetails }) {
  const { t } = useTranslation('events');
  return (
    <Card className="p-4 md:p-5" aria-label={t('comes')}>
      <CardHeading>{t('attendees', { count: attendeeCount })}</CardHeading>
      <div className="mt-4">
        <PagedList
          query={useInfiniteQuery(attendeesQuery(id))}
          skeleton={<AttendeeSkeletons />}
          failed={t('attendeesFailed')}
          more={t('moreAttendees')}
          empty={<p className="text-caption text-muted-foreground">{t('nobody')}</p>}
        >
          {(attendees) => (
            <ul className={grid}>
              {attendees.map(({ id: attendance, user }) => (
                <li key={attendance} className="flex min-w-0 items-center gap-3">
                  <Avatar user={user} size={40} decorative />
                  <div className="min-w-0 flex-1">
                    <PersonName person={user} />
                  </div>
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </Card>
  );
}

function AttendeeSkeletons() {
  return (
    <LoadingRows count={2} className={grid} row="flex items-center gap-3">
      <Skeleton className="size-10 rounded-full!" />
      <div className="flex-1 space-y-2">
        <Skeleton className="h-3.5 w-36" />
        <Skeleton className="h-3 w-48 max-w-full" />
      </div>
    </LoadingRows>
  );
}
