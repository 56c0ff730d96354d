// 'Connection Requests': rows of one card, each accepted or ignored.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, read } from '@/api/client';
import { pendingRequestsQuery } from '@/api/queries';
import type { Author, User } from '@/api/types';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { toast } from '@/ui/toast';
import { PersonName } from './person-name';
import { RowSkeletons } from './skeletons';
import { requestAnswered } from './standing';

export function Requests({ user }: { user: User }) {
  const { t } = useTranslation('network');
  const { data, isPending } = useQuery(pendingRequestsQuery(user.id));
  if (isPending) return <RowSkeletons />;
  if (!data) return <ErrorPanel>{t('requestsFailed')}</ErrorPanel>;
  return (
    <Card>
      {data.length === 0 ? (
        <Empty icon={Inbox} title={t('noRequests')} />
      ) : (
        <ul className="divide-y">
          {data.map(
            ({ id, user: requester }) =>
              requester && <RequestRow key={id} id={id} requester={requester} user={user} />,
          )}
        </ul>
      )}
    </Card>
  );
}

function RequestRow({ id, requester, user }: { id: string; requester: Author; user: User }) {
  const { t } = useTranslation(['network', 'shell']);
  const queryClient = useQueryClient();
  const answer = useMutation({
    mutationFn: (status: 'accepted' | 'rejected') =>
      read(api.PATCH('/api/connections/{id}', { params: { path: { id } }, body: { status } })),
    onSuccess: (connection) => requestAnswered(queryClient, user.id, connection),
    onError: ({ message }, status) =>
      toast({
        title: t('shell:error'),
        description: t(status === 'accepted' ? 'acceptFailed' : 'rejectFailed', { message }),
        variant: 'destructive',
      }),
  });

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3.5 md:px-5">
      <Avatar user={requester} size={52} decorative />
      <div className="min-w-0 flex-1">
        <PersonName person={requester} />
      </div>
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:pl-14">
        <Button
          variant="ghost"
          size="sm"
          disabled={answer.isPending}
          onClick={() => answer.mutate('rejected')}
        >
          {t('ignore')}
        </Button>
        <Button size="sm" disabled={answer.isPending} onClick={() => answer.mutate('accepted')}>
          {t('accept')}
        </Button>
      </div>
    </li>
  );
}
