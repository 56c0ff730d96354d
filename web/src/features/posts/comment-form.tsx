// A small field with Cancel and a submit button, for a new and an edited comment, and its draft.
import { type KeyboardEvent, type Ref, useId } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { changedText, useDraft } from '@/session/use-draft';
import { Button } from '@/ui/button';
import { DraftHint } from '@/ui/draft-hint';
import { EmojiButton } from '@/ui/emoji-button';
import { lazy } from '@/ui/lazy';
import { useOpening } from '@/ui/use-opening';
import { longest } from './lengths';
import type { Mentioned } from './text/mention-text';
import { MentionTextArea } from './text/mention-text-area';
import { isTooLong } from './text/text-length';
import { useMentions } from './text/use-mentions';

const DiscardQuestion = lazy(async () => (await import('@/ui/discard-question')).DiscardQuestion);

interface CommentFormProps {
  /** The place of the draft, with which its mentions are kept. */
  place: string;
  /** The posted comment that is changed: Cancel discards the change, and Escape asks first. */
  posted?: { content: string; mentions?: readonly Mentioned[] };
  /** The label of the submit button. */
  send: string;
  /** The text is being sent: it cannot be changed, and the form stays open. */
  busy: boolean;
  /** The name and the placeholder of the field, if it is not for a comment. */
  label?: string;
  placeholder?: string;
  field?: Ref<HTMLTextAreaElement>;
  /**
   * Called with the trimmed text, which is not empty: with ids for mentions, and as shown. `done` empties the field and
   * removes the draft.
   */
  onSend: (content: string, shown: string, done: () => void) => void;
  /** Absent for a field that is always open: it has no Cancel and does not take the focus. */
  onClose?: () => void;
}

export function CommentForm({
  place,
  posted,
  send,
  busy,
  label,
  placeholder,
  field,
  onSend,
  onClose,
}: CommentFormProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const fieldId = useId();
  const kind = changedText(posted?.content ?? '');
  const { value: content, change } = useDraft(place, kind);
  const mentions = useMentions(place, posted?.mentions);
  const done = () => {
    change(kind.empty);
    mentions.clear();
  };
  const leave = () => {
    // An unsent comment stays a draft.
    if (posted) done();
    onClose?.();
  };
  const asking = useOpening();
  const shown = content.trim();
  const canSend = shown !== '' && !isTooLong(shown, longest.comment);
  const submit = () => {
    if (canSend && !busy) onSend(mentions.encode(shown), shown, done);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Both also control the suggestions of an input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
    else if (event.key === 'Escape' && !busy) {
      if (posted && !kind.isEmpty(content)) asking.open();
      else leave();
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="min-w-0 flex-1"
    >
      <MentionTextArea
        id={fieldId}
        field={field}
        mentions={mentions}
        // The box opens because the member pressed Comment, Reply, or Edit.
        autoFocus={onClose !== undefined}
        rows={2}
        maxLength={longest.comment}
        aria-label={label ?? t('comment')}
        placeholder={placeholder ?? t('writeComment')}
        className="input field-sizing-content min-h-(--comment-min)"
        value={content}
        readOnly={busy}
        onText={change}
        onKeyDown={onKeyDown}
      />
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        <EmojiButton fieldId={fieldId} size="sm" className="mr-auto -ml-2" />
        <DraftHint
          value={content}
          empty={kind.empty}
          isEmpty={kind.isEmpty(content)}
          onChange={change}
          className="mr-auto max-sm:basis-full"
        />
        {onClose && (
          <Button variant="ghost" size="sm" disabled={busy} onClick={leave}>
            {t('shell:cancel')}
          </Button>
        )}
        <Button type="submit" size="sm" disabled={!canSend || busy}>
          {send}
        </Button>
      </div>
      {asking.nr > 0 && <DiscardQuestion open={asking.isOpen} onKeep={asking.close} onDiscard={leave} />}
    </form>
  );
}
