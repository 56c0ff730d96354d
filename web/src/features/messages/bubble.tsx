// A message bubble with its time and, for the member's own messages, the delivery state.
import { Check, CheckCheck, CircleAlert, Clock, CloudOff } from 'lucide-react';
import type { Message, RepliedMessage } from '@/api/schema.gen';
import { postsIn } from '@/features/posts/post-address';
import { RichText } from '@/features/posts/text/rich-text';
import { listOf } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { lazy } from '@/ui/lazy';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { useAttachmentText } from './attachment-text';
import { MessageAttachments } from './message-attachments';
import { MessageMenu } from './message-menu';
import { useReact } from './message-mutations';
import { clockTime } from './message-time';
import { emojiOf } from './reaction-emoji';
import type { Row } from './rows';
import { useThread } from './thread-context';

interface BubbleProps {
  row: Row;
  /** The author, for screen readers, which do not see the side of the bubble. */
  author: string;
  isGroup: boolean;
  onRetry: () => void;
  onDiscard: () => void;
}

export function Bubble({ row, author, isGroup, onRetry, onDiscard }: BubbleProps) {
  const { t, i18n } = useTranslation('messages');
  const { own, startsRun, endsRun, isLastOwn, content, at, state, message, replyTo } = row;
  const seenBy = (own && isGroup && message?.readCount) || 0;
  const showsAuthor = isGroup && !own && startsRun;
  const look = own
    ? `bg-bubble-own text-bubble-own-foreground ${endsRun ? 'rounded-br-xs' : ''}`
    : `bg-bubble-other text-bubble-other-foreground ${endsRun ? 'rounded-bl-xs' : ''}`;
  return (
    <>
      {showsAuthor && (
        <p className="mb-0.5 truncate px-1 text-micro font-medium text-muted-foreground" aria-hidden="true">
          <bdi>{author}</bdi>
        </p>
      )}
      <div className={`group flex gap-1 ${own ? 'justify-end' : ''}`}>
        {own && message && !message.deleted && <MessageMenu message={message} own />}
        {/* Elements with their own direction do not decide the direction of the text. */}
        <div
          dir="auto"
          className={`max-w-[min(80%,34rem)] rounded-xl px-3.5 py-2 text-body wrap-anywhere whitespace-pre-line ${look}`}
        >
          <bdi className="sr-only">{author}: </bdi>
          {replyTo && !message?.deleted && (
            <bdi>
              <MessageQuote quote={replyTo} own={own} />
            </bdi>
          )}
          <MessageAttachments row={row} />
          {message?.deleted ? (
            <em className="opacity-80">{t('messageDeleted')}</em>
          ) : (
            <MessageContent content={content} />
          )}
          <span
            dir="ltr"
            className={`float-right mt-1.5 ml-3 flex items-center gap-1 text-[0.6875rem] leading-4 tabular-nums ${own ? 'text-bubble-own-meta' : 'text-muted-foreground'}`}
          >
            {message?.editedAt && <span>{t('edited')}</span>}
            <time dateTime={at}>{clockTime(i18n.language, new Date(at))}</time>
            {own && <Progress state={state} seenBy={seenBy} />}
          </span>
        </div>
        {!own && message && !message.deleted && <MessageMenu message={message} own={false} />}
      </div>
      {message && <MessageReactions message={message} own={own} />}
      {isLastOwn && seenBy > 0 && (
        <p className="mt-0.5 px-1 text-right text-micro text-muted-foreground" aria-hidden="true">
          {t('seenBy', { count: seenBy })}
        </p>
      )}
      {state === 'waiting' && <Waiting onDiscard={onDiscard} />}
      {state === 'failed' && <Failed row={row} onRetry={onRetry} onDiscard={onDiscard} />}
    </>
  );
}

function Progress({ state, seenBy }: Pick<Row, 'state'> & { seenBy: number }) {
  const { t } = useTranslation('messages');
  const look = 'size-3.5 stroke-[2.25]';
  switch (state) {
    case 'read':
      return (
        <CheckCheck
          role="img"
          aria-label={seenBy ? t('seenBy', { count: seenBy }) : t('read')}
          className={`${look} text-bubble-own-read`}
        />
      );
    case 'sent':
      return <Check role="img" aria-label={t('sent')} className={look} />;
    case 'sending':
      return <Clock role="img" aria-label={t('sending')} className={look} />;
    case 'waiting':
    case 'failed':
      return null;
  }
}

const lineButton = 'link reach shrink-0 py-1 text-caption font-medium';

/** Offline: it is sent when the network returns. */
function Waiting({ onDiscard }: Pick<BubbleProps, 'onDiscard'>) {
  const { t } = useTranslation('messages');
  return (
    <div className="mt-1 flex flex-wrap items-center justify-end gap-x-3 text-caption">
      <p className="flex items-center gap-1.5 text-muted-foreground">
        <CloudOff className="size-3.5 shrink-0" />
        {t('waitingForNetwork')}
      </p>
      <button type="button" className={lineButton} onClick={onDiscard}>
        {t('discard')}
      </button>
    </div>
  );
}

/** Refusals of the server that have a text in both languages. */
const refusalTexts = new Map([
  ['ATTACHMENTS_FULL', 'filesOfMember'],
  ['ATTACHMENTS_OF_DAY', 'filesOfDay'],
  ['MESSAGE_REQUESTS_OF_DAY', 'requestsOfDay'],
  ['MESSAGE_REQUESTS_WAITING', 'requestsWaiting'],
] as const);

function Failed({
  row: { refusal, refusalCode, fileLost },
  onRetry,
  onDiscard,
}: Pick<BubbleProps, 'row' | 'onRetry' | 'onDiscard'>) {
  const { t } = useTranslation('messages');
  const known = refusalTexts.get(refusalCode as 'ATTACHMENTS_FULL');
  const reason = known ? t(known) : refusal;
  return (
    <div className="mt-1 flex flex-wrap items-center justify-end gap-x-3 text-caption">
      <p role="alert" className="flex items-start gap-1.5 text-destructive-text">
        <CircleAlert className="mt-0.5 size-3.5 shrink-0" />
        <span>
          {t(fileLost ? 'fileLost' : 'sendFailed')}
          {reason && ` ${reason}`}
        </span>
      </p>
      <button type="button" className={lineButton} onClick={onRetry}>
        {t('retry')}
      </button>
      <button type="button" className={lineButton} onClick={onDiscard}>
        {t('discard')}
      </button>
    </div>
  );
}

const SharedPost = lazy(async () => (await import('@/features/posts/shared-post')).SharedPost);

/** The text, and cards of the posts it links to. */
function MessageContent({ content }: { content: string }) {
  const { words, ids } = postsIn(content);
  const text = <RichText linkClassName="">{ids.length === 0 ? content : words}</RichText>;
  if (ids.length === 0) return text;
  return (
    <>
      {text}
      {ids.map((id) => (
        <SharedPost key={id} id={id} />
      ))}
    </>
  );
}

interface MessageQuoteProps {
  quote: RepliedMessage;
  own: boolean;
}

/** The message that a message replies to: its author and beginning. A press shows it at its place. */
function MessageQuote({ quote, own }: MessageQuoteProps) {
  const { t } = useTranslation('messages');
  const { me, nameOf, show } = useThread();
  const attachmentText = useAttachmentText();
  const name = quote.userId === me.id ? t('you') : nameOf(quote.userId);
  const look = `mb-1.5 block w-full rounded-md border-l-2 border-gold px-2 py-1 text-left text-caption ${own ? 'bg-white/10' : 'bg-foreground/5'}`;
  if (quote.content === null) return <span className={`${look} italic opacity-80`}>{t('quoteDeleted')}</span>;
  return (
    <button type="button" onClick={() => show(quote.id)} className={look}>
      <span className="sr-only">{t('inReplyTo')} </span>
      <bdi className="block font-semibold">{name}</bdi>
      <span dir="auto" className="line-clamp-2">
        {quote.content || attachmentText(quote.attachments)}
      </span>
    </button>
  );
}

/** One button a kind, with the number and the names of the members. */
function MessageReactions({ message, own }: { message: Message; own: boolean }) {
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
