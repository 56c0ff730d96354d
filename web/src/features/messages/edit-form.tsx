// Edits an own message in place of the composer: Enter saves, Shift+Enter breaks the line, Escape cancels and asks before it
// discards a changed text, which is kept as a draft until it is saved or discarded.
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { limits } from '@/api/limits.gen';
import type { Message } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { changedText, useDraft } from '@/session/use-draft';
import { Button } from '@/ui/button';
import { DiscardQuestion } from '@/ui/discard-question';
import { DraftHint } from '@/ui/draft-hint';
import { composerField, composerFrame } from './composer';
import { useEditMessage } from './message-mutations';
import { isSendKey } from './send-key';

interface EditFormProps {
  message: Message;
  onDone: () => void;
}

export function EditForm({ message, onDone }: EditFormProps) {
  const { t } = useTranslation(['messages', 'shell']);
  const kind = changedText(message.content);
  const { value: content, change: setContent } = useDraft(`edit message ${message.id}`, kind);
  const [asking, setAsking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const discard = () => setContent(message.content);
  const cancel = () => {
    discard();
    onDone();
  };
  const edit = useEditMessage(message);
  useEffect(() => {
    const shown = field.current;
    shown?.focus();
    shown?.setSelectionRange(shown.value.length, shown.value.length);
  }, []);
  const words = content.trim();

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!words || edit.isPending) return;
    if (words === message.content) cancel();
    // Not called after another message took the place of this one.
    else edit.mutate({ content: words, discard }, { onSuccess: onDone });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // It also closes the suggestions of an input method.
    if (event.key === 'Escape' && !event.nativeEvent.isComposing && !edit.isPending) {
      if (kind.isEmpty(content)) cancel();
      else setAsking(true);
    }
    if (isSendKey(event)) submit(event);
  };
  return (
    <form onSubmit={submit} className={composerFrame}>
      <p className="w-full border-l-2 border-gold pl-2.5 text-caption font-semibold">{t('editing')}</p>
      <DraftHint
        value={content}
        empty={message.content}
        isEmpty={kind.isEmpty(content)}
        onChange={setContent}
        className="w-full"
      />
      <textarea
        ref={field}
        dir="auto"
        rows={1}
        maxLength={limits.EditMessage.content.max}
        aria-label={t('editMessage')}
        className={composerField}
        value={content}
        readOnly={edit.isPending}
        onChange={({ target }) => setContent(target.value)}
        onKeyDown={onKeyDown}
      />
      <Button variant="ghost" disabled={edit.isPending} onClick={cancel}>
        {t('shell:cancel')}
      </Button>
      <Button type="submit" disabled={!words} busy={edit.isPending}>
        {t('save')}
      </Button>
      <DiscardQuestion open={asking} onKeep={() => setAsking(false)} onDiscard={cancel} />
    </form>
  );
}
