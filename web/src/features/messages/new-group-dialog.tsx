// 'New group': an optional name, and the members.
import { useState } from 'react';
import { limits } from '@/api/limits.gen';
import type { Author, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { TextField } from '@/ui/field';
import { SubmitDialog } from '@/ui/submit-dialog';
import { groupSize } from './group-limits';
import { useCreateGroup } from './group-mutations';
import { MemberPicker } from './member-picker';

interface NewGroupDialogProps {
  me: User;
  open: boolean;
  onClose: () => void;
}

export function NewGroupDialog({ me, open, onClose }: NewGroupDialogProps) {
  const { t } = useTranslation('messages');
  const [title, setTitle] = useState('');
  const [chosen, setChosen] = useState<Author[]>([]);
  const [tried, setTried] = useState(false);
  const create = useCreateGroup(onClose);
  const missing = groupSize.leastOthers - chosen.length;
  const submit = () => {
    setTried(true);
    if (missing <= 0) create.mutate({ title: title.trim() || null, memberIds: chosen.map(({ id }) => id) });
  };
  return (
    <SubmitDialog
      open={open}
      onClose={onClose}
      dirty={title.trim() !== '' || chosen.length > 0}
      busy={create.isPending}
      title={t('newGroup')}
      footerLine
      send={t('createGroup')}
      sending={t('creatingGroup')}
      onSubmit={submit}
      className="space-y-4 pb-4"
    >
      <TextField
        label={t('groupTitle')}
        hint={t('groupTitleHint')}
        maxLength={limits.CreateGroup.title.max}
        autoComplete="off"
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <MemberPicker
        me={me}
        chosen={chosen}
        onChange={setChosen}
        most={groupSize.most - 1}
        error={tried && missing > 0 ? t('chooseHint', { count: missing }) : undefined}
      />
    </SubmitDialog>
  );
}
