// The connection button of a profile: where the signed-in member stands with this one (specification, section 4).
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Clock, type LucideIcon, UserCheck, UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, read } from '@/api/client';
import { connectionQuery } from '@/api/queries';
import type { Author, Connection, User } from '@/api/types';
import { useAuth } from '@/session/auth';
import { Button, type ButtonProps } from '@/ui/button';
import { toast } from '@/ui/toast';
import { requestAnswered, requestSent } from './standing';

/** As wide as the longest state in English, so that a change does not shift the row; Filipino may grow. */
const size = 'min-w-38';

/** Needs the texts of `network`. */
export function ConnectionButton({ person }: { person: Author }) {
  const { t } = useTranslation(['network', 'shell']);
  const { user, isLoading } = useAuth();
  if (isLoading) return <State>{t('shell:loading')}</State>;
  if (user) return <Standing user={user} person={person} />;
  const askToSignIn = () =>
    toast({ title: t('signInRequired'), description: t('signInToConnect'), variant: 'info' });
  return (
    <Action icon={UserPlus} onClick={askToSignIn}>
      {t('connect')}
    </Action>
  );
}

function Standing({ user, person }: { user: User; person: Author }) {
  const { t } = useTranslation(['network', 'shell']);
  // A failed lookup leaves no data, which counts as no connection.
  const { data: connection, isPending } = useQuery(connectionQuery(user.id, person.id));
  if (isPending) return <State>{t('shell:loading')}</State>;
  if (connection?.status === 'accepted') return <State icon={Check}>{t('connected')}</State>;
  if (connection?.status !== 'pending') return <Connect user={user} person={person} />;
  if (connection.recipientId === user.id) return <Accept user={user} connection={connection} />;
  return <State icon={Clock}>{t('pending')}</State>;
}

function Connect({ user, person }: { user: User; person: Author }) {
  const { t } = useTranslation(['network', 'shell']);
  const queryClient = useQueryClient();
  const connect = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/connections', {
          body: { requesterId: user.id, recipientId: person.id, status: 'pending' },
        }),
      ),
    onSuccess: (connection) => {
      toast({ title: t('requestSent'), description: t('requestSentText'), variant: 'success' });
      return requestSent(queryClient, user.id, connection);
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('requestFailed', { message }),
        variant: 'destructive',
      }),
  });
  return (
    <Action icon={UserPlus} busy={connect.isPending} onClick={() => connect.mutate()}>
      {t('connect')}
    </Action>
  );
}

function Accept({ user, connection }: { user: User; connection: Connection }) {
  const { t } = useTranslation(['network', 'shell']);
  const queryClient = useQueryClient();
  const accept = useMutation({
    mutationFn: () =>
      read(
        api.PATCH('/api/connections/{id}', {
          params: { path: { id: connection.id } },
          body: { status: 'accepted' },
        }),
      ),
    onSuccess: (accepted) => requestAnswered(queryClient, user.id, accepted),
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('acceptFailed', { message }),
        variant: 'destructive',
      }),
  });
  return (
    <Action icon={UserCheck} busy={accept.isPending} onClick={() => accept.mutate()}>
      {t('acceptConnection')}
    </Action>
  );
}

/** Where it stands, with nothing to do about it. */
function State({ icon: Icon, children }: { icon?: LucideIcon; children: string }) {
  return (
    <Button variant="done" disabled className={size}>
      {Icon && <Icon className="icon-sm" aria-hidden="true" />}
      {children}
    </Button>
  );
}

function Action({ icon: Icon, children, ...rest }: ButtonProps & { icon: LucideIcon }) {
  return (
    <Button className={size} {...rest}>
      <Icon className="icon-sm" aria-hidden="true" />
      {children}
    </Button>
  );
}
