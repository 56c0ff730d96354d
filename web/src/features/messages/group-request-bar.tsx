// The actions on a group that the member has not accepted: accept or leave.
import { useState } from 'react';
import type { Conversation, ConversationFolder, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useLeaveGroup } from './group-mutations';
import { useAccept } from './mutations';

interface GroupRequestBarProps {
  conversation: Conversation;
  me: User;
  folder: ConversationFolder;
}

export function GroupRequestBar({ conversation, me, folder }: GroupRequestBarProps) {
  const { t } = useTranslation('messages');
  const accept = useAccept(conversation.id);
  const leave = useLeaveGroup(conversation.id, me.id, folder);
  const [asked, setAsked] = useState(false);
  return (
    <div className="shrink-0 border-t bg-muted px-4 py-3 md:px-5">
      <p className="text-ui font-medium text-pretty">{t('groupRequest')}</p>
      <p className="mt-0.5 text-caption text-pretty text-muted-foreground">{t('requestHint')}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button size="sm" busy={accept.isPending} onClick={() => accept.mutate()}>
          {t('accept')}
        </Button>
        <Button variant="outline" size="sm" onClick={() => setAsked(true)}>
          {t('leaveGroup')}
        </Button>
      </div>
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
    </div>
  );
}
