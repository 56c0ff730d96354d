// 'Connection Requests': rows of one card with accept and ignore.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Inbox, UsersRound } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import { pendingRequestsQuery } from '@/api/queries';
import type { Author, Connection, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { isDoublePress } from '@/ui/double-press';
import { EmptyCard } from '@/ui/empty';
import { PagedList } from '@/ui/paged-list';
import { keepFocusNear } from './keep-focus';
import { useAnswer, usePendingAnswers } from './mutations';
import { PersonMenu } from './person-menu';
import { PersonName } from './person-name';
import { RowSkeletons } from './skeletons';

export function Requests({ user }: { user: User }) {
  const { t } = useTranslation('network');
  const answering = usePendingAnswers();
  const empty = <EmptyCard icon={Inbox} title={t('noRequests')} />;
  return (
    <PagedList
      query={useInfiniteQuery(pendingRequestsQuery(user.id))}
      skeleton={<RowSkeletons />}
      failed={t('requestsFailed')}
      empty={empty}
      more={t('moreRequests')}
    >
      {(requests) => {
        const waiting = requests.filter(({ id }) => !answering.includes(id));
        if (waiting.length === 0) return empty;
        return (
          <Card>
            <ul className="divide-y">
              {waiting.map(
                ({ user: requester, ...connection }) =>
                  requester && (
                    <RequestRow
                      key={connection.id}
                      connection={connection}
                      requester={requester}
                      user={user}
                    />
                  ),
              )}
            </ul>
          </Card>
        );
      }}
    </PagedList>
  );
}

interface RequestRowProps {
  connection: Connection;
  requester: Author;
  user: User;
}

function RequestRow({ connection, requester, user }: RequestRowProps) {
  const { t } = useTranslation('network');
  const { mutate } = useAnswer(user);
  const answer = (status: 'accepted' | 'rejected') => (event: MouseEvent<HTMLButtonElement>) => {
    if (isDoublePress(event)) return;
    keepFocusNear(event.currentTarget);
    mutate({ id: connection.id, status });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3.5 md:px-5">
      <Avatar user={requester} size={52} decorative />
      <div className="min-w-0 flex-1">
        <PersonName person={requester} />
        {connection.sameName && (
          <p className="mt-1 flex items-start gap-1.5 text-caption text-gold-text wrap-anywhere">
            <UsersRound className="icon-sm mt-0.5 shrink-0" />
            <Link to={paths.profile(connection.sameName.id)} className="hover:underline">
              {t('sameName', { name: connection.sameName.fullName })}
            </Link>
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 max-lg:order-last max-lg:w-full max-lg:pl-14 max-[22.4rem]:pl-0">
        <Button variant="ghost" size="sm" onClick={answer('rejected')}>
          {t('ignore')}
        </Button>
        <Button size="sm" onClick={answer('accepted')}>
          {t('accept')}
        </Button>
      </div>
      <PersonMenu person={requester} connection={connection} size="sm" className="-mr-2" />
    </li>
  );
}
