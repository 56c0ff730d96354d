// A small field with Cancel and a submit button, for a new and an edited comment.
import { type FormEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { EmojiButton } from '@/ui/emoji-button';
import { longest } from './lengths';

interface CommentFormProps {
  /** The initial text. */
  initial?: string;
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
  /** Called with the trimmed text, which is not empty. */
  onSend: (content: string) => void;
  /** Absent for a field that is always open: it has no Cancel and does not take the focus. */
  onClose?: () => void;
}

export function CommentForm({
  initial = '',
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
  const change = (text: string) => {
    setContent(text);
    onChange?.(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (content.trim() && !busy) onSend(content.trim());
  };
  return (
    <form onSubmit={submit} className="min-w-0 flex-1">
      <textarea
        id={fieldId}
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: the box opens because the member pressed Comment, Reply, or Edit.
        autoFocus={onClose !== undefined}
        rows={2}
        maxLength={longest.comment}
        aria-label={label ?? t('comment')}
        placeholder={placeholder ?? t('writeComment')}
        className="input field-sizing-content min-h-(--comment-min)"
        value={content}
        onChange={(event) => change(event.target.value)}
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
