// The actions on a message request: accept, delete, block the sender.
import { UsersRound } from 'lucide-react';
import { Link } from 'react-router';
import type { Conversation, ConversationFolder, OtherUser, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Button } from '@/ui/button';
import { useConversationDialogs } from './conversation-dialogs';
import { useAccept } from './mutations';

interface RequestBarProps {
  conversation: Conversation;
  other: OtherUser;
  me: User;
  folder: ConversationFolder;
}

export function RequestBar(props: RequestBarProps) {
  const { t } = useTranslation('messages');
  const { conversation, other } = props;
  const accept = useAccept(conversation.id);
  const { ask, dialogs } = useConversationDialogs(props);
  return (
    <div className="shrink-0 border-t bg-muted px-4 py-3 md:px-5">
      <p className="text-ui font-medium text-pretty wrap-anywhere">
        {t('requestFrom', { name: other.fullName })}
      </p>
      <p className="mt-0.5 text-caption text-pretty text-muted-foreground">{t('requestHint')}</p>
      {conversation.sameName && (
        <p className="mt-1 flex items-start gap-1.5 text-caption text-gold-text wrap-anywhere">
          <UsersRound className="icon-sm mt-0.5 shrink-0" />
          <Link to={paths.profile(conversation.sameName.id)} className="hover:underline">
            {t('sameName', { name: conversation.sameName.fullName })}
          </Link>
        </p>
      )}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button size="sm" busy={accept.isPending} onClick={() => accept.mutate()}>
          {t('accept')}
        </Button>
        <Button variant="outline" size="sm" onClick={() => ask('delete')}>
          {t('delete')}
        </Button>
        {other.id && (
          <Button variant="outline" size="sm" onClick={() => ask('block')}>
            {t('block')}
          </Button>
        )}
      </div>
      {dialogs}
    </div>
  );
}
