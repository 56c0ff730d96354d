// The header of a thread: back link on a phone, the other member, typing indicator, and menu.
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import type { Conversation, ConversationFolder, OtherUser, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { listIn } from '@/message-paths';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { MoreButton } from '@/ui/more-menu';
import { VerifiedMark } from '@/ui/verified-mark';
import { ConversationAvatar } from './conversation-avatar';
import { useTyping } from './typing';

const ThreadMenu = lazy(async () => (await import('./thread-menu')).ThreadMenu);
const GroupMenu = lazy(async () => (await import('./group-menu')).GroupMenu);

const frame = 'flex h-16 shrink-0 items-center gap-3 border-b px-3 md:px-5';

interface ThreadHeaderProps {
  conversation: Conversation;
  /** With the displayed name. */
  other: OtherUser;
  me: User;
  /** The displayed name of a participant. */
  nameOf: (userId: string | null) => string;
  folder: ConversationFolder;
}

export function ThreadHeader({ conversation, other, me, nameOf, folder }: ThreadHeaderProps) {
  const { t } = useTranslation('messages');
  const { id, fullName, headline } = other;
  const typist = useTyping(conversation.id, me.id);
  const typing = typist !== null;
  const isGroup = Boolean(conversation.group);
  return (
    <header className={frame}>
      <Back folder={folder} />
      <ConversationAvatar conversation={conversation} other={other} size={40} />
      <div className="min-w-0 flex-1">
        <h2 className="flex text-ui font-semibold">
          {id ? (
            <Link to={paths.profile(id)} className="truncate hover:underline">
              {fullName}
            </Link>
          ) : (
            <span className="truncate">{fullName}</span>
          )}
          {!isGroup && <VerifiedMark member={other} className="mt-0.5 ml-1" />}
        </h2>
        <p className="truncate text-caption text-muted-foreground" aria-hidden={typing}>
          {!typing ? headline : isGroup ? t('isTyping', { name: nameOf(typist) }) : t('typing')}
        </p>
        <p role="status" className="sr-only">
          {typing ? t('isTyping', { name: nameOf(typist) }) : ''}
        </p>
      </div>
      <MoreButton
        className="-mr-2 shrink-0"
        label={t('options')}
        load={isGroup ? GroupMenu.load : ThreadMenu.load}
        floating={(trigger) =>
          isGroup ? (
            <GroupMenu conversation={conversation} me={me} folder={folder} trigger={trigger} />
          ) : (
            <ThreadMenu conversation={conversation} other={other} me={me} folder={folder} trigger={trigger} />
          )
        }
      />
    </header>
  );
}

/** While the other member is unknown, a phone still has its back link; larger screens show nothing. */
export function UnknownHeader({ folder }: { folder: ConversationFolder }) {
  return (
    <div className={`${frame} md:hidden`}>
      <Back folder={folder} />
    </div>
  );
}

function Back({ folder }: { folder: ConversationFolder }) {
  const { t } = useTranslation('shell');
  return (
    <Link
      to={listIn(folder)}
      aria-label={t('back')}
      className={buttonClass({ variant: 'ghost', iconOnly: true, className: 'shrink-0 md:hidden' })}
    >
      <ArrowLeft className="icon" />
    </Link>
  );
}
