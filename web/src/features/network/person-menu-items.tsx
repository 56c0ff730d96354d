// The items of the person menu: the screen's own items, then connect, accept, withdraw, remove, message, report, block;
// some ask for a confirmation.
import { useQuery } from '@tanstack/react-query';
import { Ban, Flag, MessageSquare, Undo2, UserCheck, UserMinus, UserPlus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { connectionQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { ReportDialog } from '@/features/reports/report-dialog';
import { useTranslation } from '@/i18n/use-translation';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { ActionItem, Menu, MenuItem } from '@/ui/menu';
import { toast } from '@/ui/toast';
import { useBlock } from './block-mutations';
import { useAnswer, useConnect, useDisconnect } from './mutations';
import { useOpenConversation } from './open-conversation';
import type { PersonItems } from './person-menu';

interface PersonMenuItemsProps extends PersonItems {
  /** Null for a visitor. */
  me: User | null;
  trigger: ReactElement;
}

export function PersonMenuItems({ me, trigger, ...rest }: PersonMenuItemsProps) {
  return me ? (
    <MemberItems me={me} trigger={trigger} {...rest} />
  ) : (
    <VisitorItems trigger={trigger} {...rest} />
  );
}

function VisitorItems({
  person,
  actions = [],
  trigger,
}: Pick<PersonMenuItemsProps, 'person' | 'actions' | 'trigger'>) {
  const { t } = useTranslation('network');
  return (
    <Menu trigger={trigger} defaultOpen>
      {actions.map(({ icon, label, act }) => (
        <ActionItem key={label} icon={icon} onSelect={act}>
          {label}
        </ActionItem>
      ))}
      <ActionItem
        icon={UserPlus}
        onSelect={() =>
          toast({ title: t('signInFirst'), description: t('signInToConnect'), variant: 'info' })
        }
      >
        {t('connectWith', { name: person.fullName })}
      </ActionItem>
    </Menu>
  );
}

type Question = 'remove' | 'block' | 'report';

function MemberItems({
  me,
  person,
  connects,
  connection: known,
  actions = [],
  also,
  last,
  reports = { kind: 'member', id: person.id },
  trigger,
}: Omit<PersonMenuItemsProps, 'me'> & { me: User }) {
  const { t } = useTranslation('network');
  const name = person.fullName;
  // A failed lookup leaves no data, which counts as no connection.
  const { data: connection, isPending } = useQuery({
    ...connectionQuery(me.id, person.id),
    initialData: known,
  });
  const connect = useConnect(me);
  const answer = useAnswer(me);
  const disconnect = useDisconnect(me);
  const block = useBlock(me);
  const message = useOpenConversation();
  const [asked, setAsked] = useState<Question | null>(null);
  const dialog = (question: Question) => ({
    open: asked === question,
    onOpenChange: () => setAsked(null),
  });

  return (
    <>
      <Menu trigger={trigger} defaultOpen className="max-w-80 min-w-52">
        {actions.map(({ icon, label, act }) => (
          <ActionItem key={label} icon={icon} act={act}>
            {label}
          </ActionItem>
        ))}
        {also}
        {isPending ? (
          connects && <Loading />
        ) : connection?.status === 'accepted' ? (
          <ActionItem icon={UserMinus} act={() => setAsked('remove')}>
            {t('remove')}
          </ActionItem>
        ) : connection?.status !== 'pending' ? (
          connects && (
            <ActionItem icon={UserPlus} onSelect={() => connect.mutate(person)}>
              {t('connectWith', { name })}
            </ActionItem>
          )
        ) : connection.requesterId === me.id ? (
          <ActionItem icon={Undo2} onSelect={() => disconnect.mutate(connection)}>
            {t('withdraw')}
          </ActionItem>
        ) : (
          connects && (
            <ActionItem
              icon={UserCheck}
              onSelect={() => answer.mutate({ id: connection.id, status: 'accepted' })}
            >
              {t('acceptConnection')}
            </ActionItem>
          )
        )}
        {connects && (
          <ActionItem icon={MessageSquare} onSelect={() => message.mutate(person)}>
            {t('messageTo', { name })}
          </ActionItem>
        )}
        <ActionItem icon={Flag} act={() => setAsked('report')}>
          {t(`report.${reports.kind}`, { name })}
        </ActionItem>
        <ActionItem icon={Ban} act={() => setAsked('block')}>
          {t('block', { name })}
        </ActionItem>
        {last}
      </Menu>
      <ReportDialog subject={asked === 'report' ? reports : null} onClose={() => setAsked(null)} />
      <ConfirmDialog
        {...dialog('remove')}
        title={t('remove')}
        text={t('removeText', { name })}
        action={t('removeAction')}
        busyLabel={t('removing')}
        busy={disconnect.isPending}
        onConfirm={() => connection && disconnect.mutate(connection, { onSettled: () => setAsked(null) })}
      />
      <ConfirmDialog
        {...dialog('block')}
        title={t('block', { name })}
        text={t('blockAbout', { name })}
        action={t('blockAction')}
        busyLabel={t('blocking')}
        destructive
        busy={block.isPending}
        onConfirm={() => block.mutate(person, { onSettled: () => setAsked(null) })}
      />
    </>
  );
}

function Loading() {
  const { t } = useTranslation('shell');
  return (
    <MenuItem disabled onSelect={() => undefined}>
      <span className="py-2">{t('loading')}</span>
    </MenuItem>
  );
}
