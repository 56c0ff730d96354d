// What the three dots open: connect, accept, withdraw, remove, message, block; the last two ask first.
import { useQuery } from '@tanstack/react-query';
import { Ban, type LucideIcon, MessageSquare, Undo2, UserCheck, UserMinus, UserPlus } from 'lucide-react';
import { type ReactElement, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { connectionQuery } from '@/api/queries';
import type { Author, Connection, User } from '@/api/types';
import { useOpenConversation } from '@/features/messages/opening';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { Menu, MenuItem } from '@/ui/menu';
import { toast } from '@/ui/toast';
import { useAnswer, useBlock, useConnect, useDisconnect } from './changes';

interface PersonMenuItemsProps {
  /** Null for a visitor. */
  me: User | null;
  person: Author;
  connects?: boolean;
  connection?: Connection;
  trigger: ReactElement;
}

export function PersonMenuItems({ me, trigger, ...rest }: PersonMenuItemsProps) {
  return me ? (
    <MemberItems me={me} trigger={trigger} {...rest} />
  ) : (
    <VisitorItems trigger={trigger} {...rest} />
  );
}

function VisitorItems({ person, trigger }: Pick<PersonMenuItemsProps, 'person' | 'trigger'>) {
  const { t } = useTranslation('network');
  return (
    <Menu trigger={trigger} defaultOpen>
      <Item
        icon={UserPlus}
        onSelect={() =>
          toast({ title: t('signInFirst'), description: t('signInToConnect'), variant: 'info' })
        }
      >
        {t('connectWith', { name: person.fullName })}
      </Item>
    </Menu>
  );
}

type Question = 'remove' | 'block';

function MemberItems({
  me,
  person,
  connects,
  connection: known,
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
  // What is asked opens once the menu has closed and given the focus back to its button.
  const chosen = useRef<Question | null>(null);
  const [asked, setAsked] = useState<Question | null>(null);
  const ask = (question: Question) => {
    chosen.current = question;
  };
  const dialog = (question: Question) => ({
    open: asked === question,
    onOpenChange: () => setAsked(null),
  });

  return (
    <>
      <Menu
        trigger={trigger}
        defaultOpen
        className="max-w-80 min-w-52"
        onClosed={() => {
          setAsked(chosen.current);
          chosen.current = null;
        }}
      >
        {isPending ? (
          connects && <Loading />
        ) : connection?.status === 'accepted' ? (
          <Item icon={UserMinus} onSelect={() => ask('remove')}>
            {t('remove')}
          </Item>
        ) : connection?.status !== 'pending' ? (
          connects && (
            <Item icon={UserPlus} onSelect={() => connect.mutate(person)}>
              {t('connectWith', { name })}
            </Item>
          )
        ) : connection.requesterId === me.id ? (
          <Item icon={Undo2} onSelect={() => disconnect.mutate(connection)}>
            {t('withdraw')}
          </Item>
        ) : (
          connects && (
            <Item icon={UserCheck} onSelect={() => answer.mutate({ id: connection.id, status: 'accepted' })}>
              {t('acceptConnection')}
            </Item>
          )
        )}
        {connects && (
          <Item icon={MessageSquare} onSelect={() => message.mutate(person)}>
            {t('messageTo', { name })}
          </Item>
        )}
        <Item icon={Ban} onSelect={() => ask('block')}>
          {t('block', { name })}
        </Item>
      </Menu>
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

function Item({
  icon: Icon,
  onSelect,
  children,
}: {
  icon: LucideIcon;
  onSelect: () => void;
  children: string;
}) {
  return (
    <MenuItem onSelect={onSelect}>
      <Icon className="icon-sm text-muted-foreground" aria-hidden="true" />
      <span className="min-w-0 py-2 wrap-anywhere">{children}</span>
    </MenuItem>
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
