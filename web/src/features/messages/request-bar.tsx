// The actions on a message request: accept, delete, block the sender; on a group: accept or leave.
import { UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Conversation, ConversationFolder, OtherUser, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useConversationDialogs } from './conversation-dialogs';
import { useLeaveGroup } from './group-mutations';
import { useAccept } from './mutations';

interface RequestProps {
  conversation: Conversation;
  me: User;
  folder: ConversationFolder;
}

export function RequestBar(props: RequestProps & { other: OtherUser }) {
  const { t } = useTranslation('messages');
  const { conversation, other } = props;
  const { sameName } = conversation;
  const { ask, dialogs } = useConversationDialogs(props);
  const note = sameName && (
    <p className="mt-1 flex items-start gap-1.5 text-caption text-gold-text wrap-anywhere">
      <UsersRound className="icon-sm mt-0.5 shrink-0" />
      <Link to={paths.profile(sameName.id)} className="hover:underline">
        {t('sameName', { name: sameName.fullName })}
      </Link>
    </p>
  );
  return (
    <Bar conversation={conversation} title={t('requestFrom', { name: other.fullName })} note={note}>
      <Button variant="outline" size="sm" onClick={() => ask('delete')}>
        {t('delete')}
      </Button>
      {other.id && (
        <Button variant="outline" size="sm" onClick={() => ask('block')}>
          {t('block')}
        </Button>
      )}
      {dialogs}
    </Bar>
  );
}

export function GroupRequestBar({ conversation, me, folder }: RequestProps) {
  const { t } = useTranslation('messages');
  const leave = useLeaveGroup(conversation.id, me.id, folder);
  const [asked, setAsked] = useState(false);
  return (
    <Bar conversation={conversation} title={t('groupRequest')}>
      <Button variant="outline" size="sm" onClick={() => setAsked(true)}>
        {t('leaveGroup')}
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        destructive
        title={t('leaveGroup')}
        text={t('leaveText')}
        action={t('leave')}
        busy={leave.isPending}
        busyLabel={t('leaving')}
        onConfirm={() => leave.mutate(undefined, { onError: () => setAsked(false) })}
      />
    </Bar>
  );
}

interface BarProps {
  conversation: Conversation;
  title: string;
  note?: ReactNode;
  /** The actions beside Accept. */
  children: ReactNode;
}

function Bar({ conversation, title, note, children }: BarProps) {
  const { t } = useTranslation('messages');
  const accept = useAccept(conversation.id);
  return (
    <div className="shrink-0 border-t bg-muted px-4 py-3 md:px-5">
      <p className="text-ui font-medium text-pretty wrap-anywhere">{title}</p>
      <p className="mt-0.5 text-caption text-pretty text-muted-foreground">{t('requestHint')}</p>
      {note}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button size="sm" busy={accept.isPending} onClick={() => accept.mutate()}>
          {t('accept')}
        </Button>
        {children}
      </div>
    </div>
  );
}
