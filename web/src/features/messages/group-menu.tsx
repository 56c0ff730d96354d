// The menu of a group: its members, the owner's changes, mute, delete for the member, and leave.
import {
  BellOff,
  BellRing,
  LogOut,
  type LucideIcon,
  Pencil,
  Trash2,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react';
import { type ReactElement, useState } from 'react';
import type { Conversation, ConversationFolder, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { ActionItem, Menu } from '@/ui/menu';
import { AddMembersDialog, MembersDialog, RenameDialog } from './group-dialogs';
import { groupSize } from './group-limits';
import { useLeaveGroup } from './group-mutations';
import { useClear, useMute } from './mutations';

type GroupAction = 'members' | 'add' | 'rename' | 'delete' | 'leave';

interface GroupMenuProps {
  conversation: Conversation;
  me: User;
  folder: ConversationFolder;
  trigger: ReactElement;
}

export function GroupMenu({ conversation, me, folder, trigger }: GroupMenuProps) {
  const { t } = useTranslation('messages');
  const { id, group, muted } = conversation;
  const [asked, setAsked] = useState<GroupAction | null>(null);
  // Each opening has a new form.
  const [nr, setNr] = useState(0);
  const mute = useMute(conversation);
  const clear = useClear(id, folder);
  const leave = useLeaveGroup(id, me.id, folder);
  const ask = (action: GroupAction) => {
    setNr((before) => before + 1);
    setAsked(action);
  };
  const item = (action: GroupAction, icon: LucideIcon, text: string) => (
    <ActionItem icon={icon} act={() => ask(action)}>
      {text}
    </ActionItem>
  );
  const close = () => setAsked(null);
  const dialog = (action: GroupAction) => ({ conversation, me, open: asked === action, onClose: close });
  const question = (action: GroupAction) => ({
    open: asked === action,
    onOpenChange: close,
    destructive: true,
  });
  const isOwner = group?.role === 'owner';
  const isFull = (group?.memberCount ?? 0) >= groupSize.most;
  return (
    <>
      <Menu trigger={trigger} defaultOpen className="max-w-80 min-w-52">
        {item('members', UsersRound, t('showMembers'))}
        {isOwner && !isFull && item('add', UserRoundPlus, t('addMembers'))}
        {isOwner && item('rename', Pencil, t('renameGroup'))}
        <ActionItem icon={muted ? BellRing : BellOff} onSelect={() => mute.mutate(!muted)}>
          {t(muted ? 'unmute' : 'mute')}
        </ActionItem>
        {item('delete', Trash2, t('deleteConversation'))}
        {item('leave', LogOut, t('leaveGroup'))}
      </Menu>
      <MembersDialog {...dialog('members')} />
      {isOwner && <AddMembersDialog key={`add ${nr}`} {...dialog('add')} />}
      {isOwner && <RenameDialog key={`rename ${nr}`} {...dialog('rename')} />}
      <ConfirmDialog
        {...question('delete')}
        title={t('deleteConversation')}
        text={t('deleteGroupText')}
        action={t('delete')}
        busy={clear.isPending}
        busyLabel={t('deleting')}
        onConfirm={() => clear.mutate(undefined, { onError: close })}
      />
      <ConfirmDialog
        {...question('leave')}
        title={t('leaveGroup')}
        text={t(isOwner ? 'leaveOwnerText' : 'leaveText')}
        action={t('leave')}
        busy={leave.isPending}
        busyLabel={t('leaving')}
        onConfirm={() => leave.mutate(undefined, { onError: close })}
      />
    </>
  );
}
