// The dialogs of a group: rename it, its members, and add members.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupMembersQuery } from '@/api/groups';
import { limits } from '@/api/limits.gen';
import type { Author, Conversation, GroupMember, User } from '@/api/schema.gen';
import { PersonName } from '@/features/network/person-name';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { Dialog } from '@/ui/dialog';
import { ErrorPanel } from '@/ui/error-panel';
import { TextField } from '@/ui/field';
import { LoadingRows } from '@/ui/skeleton';
import { SubmitDialog } from '@/ui/submit-dialog';
import { groupSize } from './group-limits';
import { useAddMembers, useRemoveMember, useRenameGroup } from './group-mutations';
import { MemberPicker } from './member-picker';

export interface GroupDialogProps {
  conversation: Conversation;
  me: User;
  open: boolean;
  onClose: () => void;
}

export function RenameDialog({ conversation, open, onClose }: GroupDialogProps) {
  const { t } = useTranslation('messages');
  const before = conversation.group?.title ?? '';
  const [title, setTitle] = useState(before);
  const rename = useRenameGroup(conversation.id, onClose);
  return (
    <SubmitDialog
      open={open}
      onClose={onClose}
      dirty={title.trim() !== before}
      busy={rename.isPending}
      title={t('renameGroup')}
      send={t('save')}
      sending={t('renaming')}
      onSubmit={() => rename.mutate(title.trim() || null)}
      className="pb-4"
    >
      <TextField
        label={t('groupTitle')}
        hint={t('groupTitleHint')}
        maxLength={limits.UpdateGroup.title.max}
        autoComplete="off"
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
    </SubmitDialog>
  );
}

export function AddMembersDialog({ conversation, me, open, onClose }: GroupDialogProps) {
  const { t } = useTranslation('messages');
  const [chosen, setChosen] = useState<Author[]>([]);
  const [tried, setTried] = useState(false);
  const members = useQuery(groupMembersQuery(conversation.id)).data ?? [];
  const add = useAddMembers(conversation.id, onClose);
  const submit = () => {
    setTried(true);
    if (chosen.length > 0) add.mutate(chosen.map(({ id }) => id));
  };
  return (
    <SubmitDialog
      open={open}
      onClose={onClose}
      dirty={chosen.length > 0}
      busy={add.isPending}
      title={t('addMembers')}
      footerLine
      send={t('add')}
      sending={t('adding')}
      onSubmit={submit}
      className="pb-4"
    >
      <MemberPicker
        me={me}
        chosen={chosen}
        onChange={setChosen}
        without={new Set(members.flatMap(({ id }) => id ?? []))}
        most={groupSize.most - (conversation.group?.memberCount ?? 0)}
        error={tried && chosen.length === 0 ? t('chooseHint', { count: 1 }) : undefined}
      />
    </SubmitDialog>
  );
}

export function MembersDialog({ conversation, me, open, onClose }: GroupDialogProps) {
  const { t } = useTranslation('messages');
  const members = useQuery({ ...groupMembersQuery(conversation.id), enabled: open });
  const [removed, setRemoved] = useState<GroupMember | null>(null);
  const remove = useRemoveMember(conversation.id, () => setRemoved(null));
  const isOwner = conversation.group?.role === 'owner';
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('groupMembers')}>
      {members.data ? (
        <ul aria-label={t('groupMembers')} className="divide-y pb-4">
          {members.data.map((member) => (
            <li key={member.id} className="flex items-center gap-3 py-2.5">
              <Avatar user={member} size={40} decorative />
              <div className="min-w-0 flex-1">
                {member.id === me.id ? (
                  <p className="truncate text-ui font-semibold">
                    {t('memberYou', { name: member.fullName })}
                  </p>
                ) : (
                  <PersonName person={member as Author} />
                )}
              </div>
              {member.role === 'owner' && <Badge>{t('owner')}</Badge>}
              {isOwner && member.id !== me.id && (
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={t('removeNamed', { name: member.fullName })}
                  onClick={() => setRemoved(member)}
                >
                  {t('removeMember')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : members.isError ? (
        <div className="pb-4">
          <ErrorPanel onRetry={() => void members.refetch()}>{t('membersFailed')}</ErrorPanel>
        </div>
      ) : (
        <LoadingRows className="space-y-3 pb-4" bars={['h-11']} />
      )}
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={() => setRemoved(null)}
        destructive
        title={t('removeNamed', { name: removed?.fullName ?? '' })}
        text={t('removeText', { name: removed?.fullName ?? '' })}
        action={t('removeMember')}
        busy={remove.isPending}
        busyLabel={t('removing')}
        onConfirm={() => removed?.id && remove.mutate(removed.id)}
      />
    </Dialog>
  );
}
