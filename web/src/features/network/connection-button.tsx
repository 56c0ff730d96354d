// The connection button of a profile: where the signed-in member stands with this one (specification, section 4).
import { useQuery } from '@tanstack/react-query';
import { Check, Clock, type LucideIcon, UserCheck, UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { connectionQuery } from '@/api/queries';
import type { Author, Connection, User } from '@/api/types';
import { useAuth } from '@/session/auth';
import { Button, type ButtonProps } from '@/ui/button';
import { toast } from '@/ui/toast';
import { useAnswer, useConnect } from './changes';

/** As wide as the longest state in English, so that a change does not shift the row; Filipino may grow. On a phone it has the row. */
const size = 'min-w-38 max-md:flex-1';

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
  const { t } = useTranslation('network');
  const connect = useConnect(user);
  return (
    <Action icon={UserPlus} busy={connect.isPending} onClick={() => connect.mutate(person)}>
      {t('connect')}
    </Action>
  );
}

function Accept({ user, connection: { id } }: { user: User; connection: Connection }) {
  const { t } = useTranslation('network');
  const answer = useAnswer(user);
  return (
    <Action
      icon={UserCheck}
      busy={answer.isPending}
      onClick={() => answer.mutate({ id, status: 'accepted' })}
    >
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
