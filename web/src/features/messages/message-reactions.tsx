// The reactions to a message: one button a kind, with the number and the names of the members.
import type { Message } from '@/api/types';
import { listOf } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { useReact } from './message-mutations';
import { emojiOf } from './reaction-emoji';
import { useThread } from './thread-context';

export function MessageReactions({ message, own }: { message: Message; own: boolean }) {
  const { t, i18n } = useTranslation('messages');
  const { me, nameOf } = useThread();
  const react = useReact(message, me.id);
  const reactions = message.reactions ?? [];
  if (reactions.length === 0) return null;
  return (
    <TooltipGroup>
      <ul aria-label={t('reactions')} className={`mt-1 flex flex-wrap gap-1 ${own ? 'justify-end' : ''}`}>
        {reactions.map(({ kind, userIds }) => {
          const isMine = userIds.includes(me.id);
          const names = listOf(
            i18n.language,
            userIds.map((id) => (id === me.id ? t('you') : nameOf(id))),
          );
          const label = t('reactedBy', { reaction: t(`reaction.${kind}`), names });
          return (
            <li key={kind}>
              <Tooltip label={label}>
                <button
                  type="button"
                  aria-label={label}
                  aria-pressed={isMine}
                  onClick={() => react.mutate({ kind, on: !isMine })}
                  className={`flex h-6 min-w-6 items-center justify-center gap-1 rounded-full border px-1.5 text-micro tabular-nums ${isMine ? 'border-gold bg-gold/15 font-semibold' : 'bg-card hover:bg-hover'}`}
                >
                  <span aria-hidden="true">{emojiOf[kind]}</span>
                  {userIds.length > 1 && userIds.length}
                </button>
              </Tooltip>
            </li>
          );
        })}
      </ul>
    </TooltipGroup>
  );
}
