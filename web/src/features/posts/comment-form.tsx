// A small field with Cancel and a submit button, for a new and an edited comment.
import { type FormEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { EmojiButton } from '@/ui/emoji-button';
import { longest } from './lengths';
import type { Mentioned } from './text/mention-text';
import { MentionTextArea } from './text/mention-text-area';
import { useMentions } from './text/use-mentions';

interface CommentFormProps {
  /** The initial text. */
  initial?: string;
  /** The mentions in it, for a posted comment. */
  initialMentions?: readonly Mentioned[];
  /** The place of the draft, with which its mentions are kept. */
  place?: string;
  /** The label of the submit button. */
  send: string;
  busy: boolean;
  /** The name and the placeholder of the field, if it is not for a comment. */
  label?: string;
  placeholder?: string;
  field?: Ref<HTMLTextAreaElement>;
  onChange?: (content: string) => void;
  /** Beside the buttons, given the text and a function that changes it. */
  hint?: (content: string, change: (content: string) => void) => ReactNode;
  /** Called with the trimmed text, which is not empty: with ids for mentions, and as shown. */
  onSend: (content: string, shown: string) => void;
  /** Absent for a field that is always open: it has no Cancel and does not take the focus. */
  onClose?: () => void;
}

export function CommentForm({
  initial = '',
  initialMentions,
  place,
  send,
  busy,
  label,
  placeholder,
  field,
  onChange,
  hint,
  onSend,
  onClose,
}: CommentFormProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const fieldId = useId();
  const [content, setContent] = useState(initial);
  const mentions = useMentions(place ?? null, initialMentions);
  const change = (text: string) => {
    setContent(text);
    onChange?.(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const shown = content.trim();
    if (shown && !busy) onSend(mentions.encode(shown), shown);
  };
  return (
    <form onSubmit={submit} className="min-w-0 flex-1">
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
        onText={change}
      />
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        <EmojiButton fieldId={fieldId} size="sm" className="mr-auto -ml-2" />
        {hint?.(content, change)}
        {onClose && (
          <Button variant="ghost" size="sm" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
        )}
        <Button type="submit" size="sm" disabled={!content.trim() || busy}>
          {send}
        </Button>
      </div>
    </form>
  );
}
