// Edits an own message in place of the composer: Enter saves, Shift+Enter breaks the line, Escape cancels.
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { limits } from '@/api/limits.gen';
import type { Message } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { composerField, composerFrame } from './composer';
import { useEditMessage } from './message-mutations';

interface EditFormProps {
  message: Message;
  onDone: () => void;
}

export function EditForm({ message, onDone }: EditFormProps) {
  const { t } = useTranslation(['messages', 'shell']);
  const [content, setContent] = useState(message.content);
  const field = useRef<HTMLTextAreaElement>(null);
  const edit = useEditMessage(message, onDone);
  useEffect(() => {
    const shown = field.current;
    shown?.focus();
    shown?.setSelectionRange(shown.value.length, shown.value.length);
  }, []);
  const words = content.trim();

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!words || edit.isPending) return;
    if (words === message.content) onDone();
    else edit.mutate(words);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') onDone();
    // Enter also confirms a suggestion of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };
  return (
    <form onSubmit={submit} className={composerFrame}>
      <p className="w-full border-l-2 border-gold pl-2.5 text-caption font-semibold">{t('editing')}</p>
      <textarea
        ref={field}
        dir="auto"
        rows={1}
        maxLength={limits.EditMessage.content.max}
        aria-label={t('editMessage')}
        className={composerField}
        value={content}
        onChange={({ target }) => setContent(target.value)}
        onKeyDown={onKeyDown}
      />
      <Button variant="ghost" onClick={onDone}>
        {t('shell:cancel')}
      </Button>
      <Button type="submit" disabled={!words} busy={edit.isPending}>
        {t('save')}
      </Button>
    </form>
  );
}
