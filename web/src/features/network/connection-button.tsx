// The connection button of a profile: the state of the connection to this member (specification, section 4).
import { useQuery } from '@tanstack/react-query';
import { Check, Clock, type LucideIcon, UserCheck, UserPlus } from 'lucide-react';
import { connectionQuery } from '@/api/queries';
import type { Author, Connection, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button, type ButtonProps } from '@/ui/button';
import { toast } from '@/ui/toast';
import { useAnswer, useConnect } from './mutations';

/** As wide as the longest English state, so that a change causes no layout shift; Filipino may grow. Full width on a phone. */
const size = 'min-w-38 max-md:flex-auto';

interface ConnectionButtonProps {
  person: Author;
  /** Small and outlined, for a list. */
  inList?: boolean;
  /** The connection, if it was loaded with the person; null for none. */
  known?: Connection | null;
}

export function ConnectionButton({ person, inList, known }: ConnectionButtonProps) {
  const { t } = useTranslation(['network', 'shell']);
  const { user, isLoading } = useAuth();
  if (isLoading) return <State inList={inList}>{t('shell:loading')}</State>;
  if (user) return <MemberConnection user={user} person={person} inList={inList} known={known} />;
  const askToSignIn = () =>
    toast({ title: t('signInRequired'), description: t('signInToConnect'), variant: 'info' });
  return (
    <Action icon={UserPlus} inList={inList} onClick={askToSignIn}>
      {t('connect')}
    </Action>
  );
}

function MemberConnection({ user, person, inList, known }: ConnectionButtonProps & { user: User }) {
  const { t } = useTranslation(['network', 'shell']);
  // A failed lookup leaves no data, which counts as no connection.
  const { data: connection, isPending } = useQuery({
    ...connectionQuery(user.id, person.id),
    initialData: known,
  });
  const look = { inList };
  if (isPending) return <State {...look}>{t('shell:loading')}</State>;
  if (connection?.status === 'accepted')
    return (
      <State icon={Check} {...look}>
        {t('connected')}
      </State>
    );
  if (connection?.status !== 'pending') return <Connect user={user} person={person} {...look} />;
  if (connection.recipientId === user.id) return <Accept user={user} connection={connection} {...look} />;
  return (
    <State icon={Clock} {...look}>
      {t('pending')}
    </State>
  );
}

function Connect({ user, person, inList }: ConnectionButtonProps & { user: User }) {
  const { t } = useTranslation('network');
  const connect = useConnect(user);
  return (
    <Action icon={UserPlus} inList={inList} busy={connect.isPending} onClick={() => connect.mutate(person)}>
      {t('connect')}
    </Action>
  );
}

function Accept({ user, connection: { id }, inList }: Look & { user: User; connection: Connection }) {
  const { t } = useTranslation('network');
  const answer = useAnswer(user);
  return (
    <Action
      icon={UserCheck}
      inList={inList}
      busy={answer.isPending}
      onClick={() => answer.mutate({ id, status: 'accepted' })}
    >
      {t('acceptConnection')}
    </Action>
  );
}

type Look = Pick<ConnectionButtonProps, 'inList'>;

/** A state without an action. */
function State({ icon: Icon, inList, children }: Look & { icon?: LucideIcon; children: string }) {
  return (
    <Button variant="done" size={inList ? 'sm' : 'md'} disabled className={size}>
      {Icon && <Icon className="icon-sm" />}
      {children}
    </Button>
  );
}

function Action({ icon: Icon, inList, children, ...rest }: Look & ButtonProps & { icon: LucideIcon }) {
  return (
    <Button variant={inList ? 'outline' : 'primary'} size={inList ? 'sm' : 'md'} className={size} {...rest}>
      <Icon className="icon-sm" />
      {children}
    </Button>
  );
}
