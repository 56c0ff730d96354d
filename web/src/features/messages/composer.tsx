// The message composer: Enter sends, Shift+Enter breaks the line, and drafts are preserved.
import { Send } from 'lucide-react';
import { type KeyboardEvent, type SyntheticEvent, useId, useRef } from 'react';
import { limits } from '@/api/limits.gen';
import { useTranslation } from '@/i18n/use-translation';
import { textDraft, useDraft } from '@/session/drafts';
import { Button } from '@/ui/button';
import { EmojiButton } from '@/ui/emoji-button';
import { useSendTyping } from './typing';

const maxLength = limits.SendMessage.content.max;

interface ComposerProps {
  conversationId: string;
  /** Whether to send typing indicators: only in an accepted conversation. */
  sendsTyping: boolean;
  onSend: (content: string) => void;
}

export function Composer({ conversationId, sendsTyping, onSend }: ComposerProps) {
  const { t } = useTranslation('messages');
  const { value: draft, change: setDraft } = useDraft(`conversation ${conversationId}`, textDraft);
  const sendTyping = useSendTyping(conversationId);
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldId = useId();
  const blank = !draft.trim();

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (blank) return;
    onSend(draft.trim());
    setDraft('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter also confirms a suggestion of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };

  return (
    <form
      onSubmit={submit}
      className="flex shrink-0 items-end gap-2 border-t p-3 max-md:pb-[calc(0.75rem+env(safe-area-inset-bottom))] md:px-5 md:py-4"
    >
      <textarea
        id={fieldId}
        ref={field}
        rows={1}
        maxLength={maxLength}
        aria-label={t('message')}
        placeholder={t('write')}
        className="input field-sizing-content max-h-32 rounded-lg!"
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
