// The items of the person menu: the screen's own items, then remove or withdraw, report, block; some ask for a
// confirmation. A menu of content leaves out those about the member.
import { useQuery } from '@tanstack/react-query';
import { Ban, Flag, Undo2, UserMinus, UserPlus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { connectionQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { ReportDialog } from '@/features/reports/report-dialog';
import { useTranslation } from '@/i18n/use-translation';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { ActionItem, Menu } from '@/ui/menu';
import { toast } from '@/ui/toast';
import { useBlock } from './block-mutations';
import { useDisconnect } from './mutations';
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
  ofContent = false,
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
  const { data: connection } = useQuery({
    ...connectionQuery(me.id, person.id),
    initialData: known,
    enabled: !ofContent,
  });
  const disconnect = useDisconnect(me);
  const block = useBlock(me);
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
        {!ofContent && connection?.status === 'accepted' && (
          <ActionItem icon={UserMinus} act={() => setAsked('remove')}>
            {t('remove')}
          </ActionItem>
        )}
        {!ofContent && connection?.status === 'pending' && connection.requesterId === me.id && (
          <ActionItem icon={Undo2} onSelect={() => disconnect.mutate(connection)}>
            {t('withdraw')}
          </ActionItem>
        )}
        <ActionItem icon={Flag} act={() => setAsked('report')}>
          {t(`report.${reports.kind}`, { name })}
        </ActionItem>
        {!ofContent && (
          <ActionItem icon={Ban} act={() => setAsked('block')}>
            {t('block', { name })}
          </ActionItem>
        )}
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
