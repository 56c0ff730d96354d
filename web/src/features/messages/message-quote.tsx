// The message that a message replies to: its author and beginning. A press shows it at its place.
import type { RepliedMessage } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAttachmentText } from './attachment-text';
import { useThread } from './thread-context';

interface MessageQuoteProps {
  quote: RepliedMessage;
  own: boolean;
}

export function MessageQuote({ quote, own }: MessageQuoteProps) {
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
