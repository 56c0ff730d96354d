// The message composer: Enter sends, Shift+Enter breaks the line, Arrow up in an empty field edits the last own message, and drafts
// are preserved, also of pictures and files.
import { Paperclip, Send, X } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from 'react';
import { limits } from '@/api/limits.gen';
import type { RepliedMessage } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { textDraft } from '@/session/drafts';
import { useDraft } from '@/session/use-draft';
import { pastedFiles, useFileDrop } from '@/ui/data-transfer';
import { EmojiButton } from '@/ui/emoji-button';
import { IconButton } from '@/ui/icon-button';
import { pictureTypes } from '@/ui/picture-types';
import { toast } from '@/ui/toast';
import { useAttachmentText } from './attachment-text';
import { DraftFileList } from './draft-file-list';
import { type DraftFile, fileType } from './draft-files';
import { isSendKey } from './send-key';
import { useThread } from './thread-context';
import { useSendTyping } from './typing';
import { useDraftFiles } from './use-draft-files';

const maxLength = limits.SendMessage.content.max;

export const composerFrame =
  'message-composer flex shrink-0 flex-wrap items-end gap-2 max-[22.4rem]:gap-1 border-t p-3 max-md:pb-[calc(0.75rem+env(safe-area-inset-bottom))] md:px-5 md:py-4';
export const composerField = 'input field-sizing-content max-h-32 min-w-0 flex-1 rounded-lg!';

/** The pane of the conversation. */
const conversationOf = (form: HTMLElement) => form.parentElement;

interface ComposerProps {
  conversationId: string;
  /** Whether to send typing indicators: only in an accepted conversation. */
  sendsTyping: boolean;
  /** The message that the new one replies to. */
  replyTo: RepliedMessage | null;
  onCancelReply: () => void;
  /** Why the member cannot send files; null if they can. */
  filesRefusal: string | null;
  onSend: (content: string, files: DraftFile[]) => void;
  /** Edits the last message of the member, if it can still be changed. */
  onEditLast: (event: KeyboardEvent) => void;
  /** It replaces the field of an edited message, which had the focus. */
  takesFocus: boolean;
}

export function Composer({
  conversationId,
  sendsTyping,
  filesRefusal: refusal,
  replyTo,
  onCancelReply,
  onSend,
  onEditLast,
  takesFocus,
}: ComposerProps) {
  const { t } = useTranslation('messages');
  const { me } = useThread();
  const form = useRef<HTMLFormElement>(null);
  const { chosen, isPreparing, add, remove, describe, handOver } = useDraftFiles(
    me.id,
    conversationId,
    refusal,
  );
  const dragging = useFileDrop(form, conversationOf, add);
  const { value: draft, change: setDraft } = useDraft(`conversation ${conversationId}`, textDraft);
  const sendTyping = useSendTyping(conversationId);
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldId = useId();
  // A picture that is being scaled belongs to the message.
  const blank = isPreparing || (!draft.trim() && chosen.length === 0);
  const replyId = replyTo?.id;
  useEffect(() => {
    if (replyId) field.current?.focus();
  }, [replyId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is shown.
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, []);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (blank) return;
    onSend(draft.trim(), chosen);
    setDraft('');
    handOver();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && replyTo) onCancelReply();
    if (event.key === 'ArrowUp' && !draft && chosen.length === 0 && !replyTo) onEditLast(event);
    if (isSendKey(event)) submit(event);
  };

  const onPaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event);
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  };
  const removeChosen = (id: string) => {
    remove(id);
    // Its button is gone.
    field.current?.focus();
  };

  return (
    <form
      ref={form}
      onSubmit={submit}
      className={`${composerFrame} ${dragging ? 'outline-2 -outline-offset-2 outline-gold' : ''}`}
    >
      {dragging && <p className="w-full text-caption font-semibold">{refusal ?? t('dropFiles')}</p>}
      {replyTo && <ReplyBar replyTo={replyTo} onCancel={onCancelReply} />}
      {chosen.length > 0 && (
        <DraftFileList memberId={me.id} files={chosen} onDescribe={describe} onRemove={removeChosen} />
      )}
      <p role="status" className="w-full text-caption text-muted-foreground empty:hidden">
        {isPreparing ? t('preparingPictures') : ''}
      </p>
      <AttachButton refusal={refusal} onFiles={add} />
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
        onPaste={onPaste}
      />
      <EmojiButton fieldId={fieldId} className="size-[2.625rem]! shrink-0" />
      <IconButton
        icon={Send}
        variant="primary"
        type="submit"
        className="size-[2.625rem]! shrink-0"
        label={t('send')}
        disabled={blank}
      />
    </form>
  );
}

interface AttachButtonProps {
  /** Why the member cannot send files. The button says it. */
  refusal: string | null;
  onFiles: (files: File[]) => void;
}

function AttachButton({ refusal, onFiles }: AttachButtonProps) {
  const { t } = useTranslation('messages');
  const input = useRef<HTMLInputElement>(null);
  const reasonId = useId();
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={[...pictureTypes, fileType].join()}
        aria-label={t('attach')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Allows selecting the same file again.
          target.value = '';
        }}
      />
      <IconButton
        icon={Paperclip}
        className="size-[2.625rem]! shrink-0"
        label={t('attach')}
        aria-disabled={refusal !== null}
        aria-describedby={refusal ? reasonId : undefined}
        onClick={() =>
          refusal
            ? toast({ title: t('fileRefused'), description: refusal, variant: 'destructive' })
            : input.current?.click()
        }
      />
      {refusal && (
        <span id={reasonId} className="sr-only">
          {refusal}
        </span>
      )}
    </>
  );
}

/** Names the message that the new one replies to. */
function ReplyBar({ replyTo, onCancel }: { replyTo: RepliedMessage; onCancel: () => void }) {
  const { t } = useTranslation('messages');
  const { me, nameOf } = useThread();
  const attachmentText = useAttachmentText();
  const name = replyTo.userId === me.id ? t('you') : nameOf(replyTo.userId);
  return (
    <div className="flex w-full items-center gap-2 border-l-2 border-gold pl-2.5 text-caption">
      <p className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{t('replyingTo', { name })}</span>
        <span dir="auto" className="block truncate text-muted-foreground">
          {replyTo.content || attachmentText(replyTo.attachments)}
        </span>
      </p>
      <IconButton icon={X} glyph="icon-sm" size="sm" label={t('cancelReply')} onClick={onCancel} />
    </div>
  );
}
