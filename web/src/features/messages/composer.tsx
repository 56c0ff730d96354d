// The message composer: Enter sends, Shift+Enter breaks the line, and drafts are preserved.
import { Send, X } from 'lucide-react';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { limits } from '@/api/limits.gen';
import type { RepliedMessage } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { textDraft, useDraft } from '@/session/drafts';
import { Button } from '@/ui/button';
import { EmojiButton } from '@/ui/emoji-button';
import { useThread } from './thread-context';
import { useSendTyping } from './typing';

const maxLength = limits.SendMessage.content.max;

export const composerFrame =
  'flex shrink-0 flex-wrap items-end gap-2 border-t p-3 max-md:pb-[calc(0.75rem+env(safe-area-inset-bottom))] md:px-5 md:py-4';
export const composerField = 'input field-sizing-content max-h-32 min-w-0 flex-1 rounded-lg!';

interface ComposerProps {
  conversationId: string;
  /** Whether to send typing indicators: only in an accepted conversation. */
  sendsTyping: boolean;
  /** The message that the new one replies to. */
  replyTo: RepliedMessage | null;
  onCancelReply: () => void;
  onSend: (content: string) => void;
}

export function Composer({ conversationId, sendsTyping, replyTo, onCancelReply, onSend }: ComposerProps) {
  const { t } = useTranslation('messages');
  const { value: draft, change: setDraft } = useDraft(`conversation ${conversationId}`, textDraft);
  const sendTyping = useSendTyping(conversationId);
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldId = useId();
  const blank = !draft.trim();
  const replyId = replyTo?.id;
  useEffect(() => {
    if (replyId) field.current?.focus();
  }, [replyId]);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (blank) return;
    onSend(draft.trim());
    setDraft('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && replyTo) onCancelReply();
    // Enter also confirms a suggestion of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };

  return (
    <form onSubmit={submit} className={composerFrame}>
      {replyTo && <ReplyBar replyTo={replyTo} onCancel={onCancelReply} />}
      <textarea
        id={fieldId}
        dir="auto"
        ref={field}
        rows={1}
        maxLength={maxLength}
        aria-label={t('message')}
        placeholder={t('write')}
        className={composerField}
        value={draft}
        onChange={({ target }) => {
          setDraft(target.value);
          if (sendsTyping && target.value.trim()) sendTyping();
        }}
        onKeyDown={onKeyDown}
      />
      <EmojiButton fieldId={fieldId} className="size-[2.625rem]! shrink-0" />
      <Button
        type="submit"
        iconOnly
        className="size-[2.625rem]! shrink-0"
        aria-label={t('send')}
        disabled={blank}
      >
        <Send className="icon" aria-hidden="true" />
      </Button>
    </form>
  );
}

/** Names the message that the new one replies to. */
function ReplyBar({ replyTo, onCancel }: { replyTo: RepliedMessage; onCancel: () => void }) {
  const { t } = useTranslation('messages');
  const { me, nameOf } = useThread();
  const name = replyTo.userId === me.id ? t('you') : nameOf(replyTo.userId);
  return (
    <div className="flex w-full items-center gap-2 border-l-2 border-gold pl-2.5 text-caption">
      <p className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{t('replyingTo', { name })}</span>
        <span dir="auto" className="block truncate text-muted-foreground">
          {replyTo.content}
        </span>
      </p>
      <Button variant="ghost" size="sm" iconOnly aria-label={t('cancelReply')} onClick={onCancel}>
        <X className="icon-sm" aria-hidden="true" />
      </Button>
    </div>
  );
}
