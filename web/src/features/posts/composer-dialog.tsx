// 'Create a post': text, article, picture, video address, or repost; and the toasts of the specification for an empty post,
// a failure and success.
import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ClipboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { keyPerBody } from '@/api/idempotency';
import { membershipRetry } from '@/api/membership-retry';
import { publishKey } from '@/api/new-posts';
import { postsChanged } from '@/api/saved';
import type { CreatePost, Post, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useChange } from '@/session/use-change';
import { useDraft } from '@/session/use-draft';
import { Button } from '@/ui/button';
import { pastedFiles } from '@/ui/data-transfer';
import { DraftHint } from '@/ui/draft-hint';
import { EmojiButton } from '@/ui/emoji-button';
import { TextField } from '@/ui/field';
import { FormDialog } from '@/ui/form-dialog';
import { IconButton } from '@/ui/icon-button';
import { isPdf, PdfField, usablePdf } from '@/ui/pdf-field';
import { isPicture } from '@/ui/picture-types';
import { showError, toast } from '@/ui/toast';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { webAddress } from '@/web-address';
import { type DialogAttachment, dialogAttachments } from './attachments';
import type { AudienceCommunity } from './audience';
import { ComposerDrop } from './composer-drop';
import { ComposerHead } from './composer-head';
import { ComposerLink, linkToPreview } from './composer-link';
import { longest } from './lengths';
import { mostPictures, picturesIn, usePictures } from './pictures';
import { PicturesField } from './pictures-field';
import { Reposted } from './post-body';
import { type ComposerMode, type PostDraft, placeOf, postDraft } from './post-draft';
import { usePdf } from './post-pdf-upload';
import { sendOrQueue } from './send-or-queue';
import { MentionTextArea } from './text/mention-text-area';
import { isTooLong } from './text/text-length';
import { useMentions } from './text/use-mentions';

interface ComposerDialogProps {
  user: User;
  /** The community of the post; if absent, the member selects the audience. */
  community?: AudienceCommunity;
  repost?: Post;
  /** The initial mode. */
  start?: ComposerMode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Opens the event form. */
  onEvent?: () => void;
}

export function ComposerDialog({
  user,
  community,
  repost,
  start = null,
  open,
  onOpenChange,
  onEvent,
}: ComposerDialogProps) {
  const { t } = useTranslation(['posts', 'shell', 'unsent']);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const draft = useDraft(placeOf({ community, repost }), postDraft);
  const mentions = useMentions(placeOf({ community, repost }));
  const { content, title, videoUrl, withoutLink, audience } = draft.value;
  const [mode, setMode] = useState<ComposerMode>(start ?? draft.value.mode);
  const isArticle = mode === 'article';
  const takesFiles = !repost && !isArticle;
  const edit = (change: Partial<PostDraft>) => draft.change({ ...draft.value, mode, ...change });
  // One key per text: a retry never creates the post twice.
  const [keyOf, setKeyOf] = useState(keyPerBody);
  const pictures = usePictures();
  const pdf = usePdf();
  const fieldId = useId();
  const communityId = (community ?? audience)?.id;

  // The button of the composer card that opened the dialog.
  const [started, setStarted] = useState({ start, open });
  /** How often the member asked for pictures since the dialog opened: each opens the chooser of files. */
  const [choosing, setChoosing] = useState(start === 'photo' ? 1 : 0);
  if (started.start !== start || started.open !== open) {
    setStarted({ start, open });
    if (open && start) setMode(start);
    setChoosing(open && start === 'photo' ? 1 : 0);
  }

  const become = (next: ComposerMode) => {
    setMode(next);
    edit({ mode: next });
  };
  const removeFiles = () => {
    pictures.clear();
    pdf.clear();
  };
  // Another attachment hides the files: a press on the wrong button does not discard them.
  const attach = (kind: DialogAttachment) => {
    if (kind === 'event') return onEvent?.();
    setChoosing(kind === 'photo' && pictures.chosen.length === 0 ? choosing + 1 : 0);
    become(kind);
  };
  const addFiles = (files: File[]) => {
    if (create.isPending) return;
    if (!takesFiles) return showError(t('noFilesHere'));
    setChoosing(0);
    const [file] = files.filter(isPdf);
    if (!file || files.some(isPicture)) {
      // A refused file does not hide what the member attached before.
      if (pictures.add(files.filter((one) => !isPdf(one)))) become('photo');
    } else if (usablePdf(file)) {
      become('pdf');
      pdf.choose(file);
    }
    if (file && files.length > 1) showError(t('filesMixed', { count: mostPictures }));
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event);
    if (files.length === 0) return;
    event.preventDefault();
    addFiles(files);
  };
  const create = useChange({
    mutationKey: publishKey,
    mutationFn: (body: CreatePost) =>
      sendOrQueue(queryClient, user.id, {
        posting: { kind: 'post', body },
        shown: body.title ? `${body.title}\n${content}` : content,
        key: keyOf(body),
      }),
    // Without a network it fails at once, instead of waiting in the memory of this page.
    networkMode: 'always',
    ...(communityId && membershipRetry),
    done: (result) =>
      result === 'waiting'
        ? { title: t('unsent:queued'), description: t('unsent:queuedText'), variant: 'info' }
        : {
            title: t('created'),
            description: t('createdText'),
            // The order of the feed may show it further down, and another feed not at all.
            action: { label: t('viewPost'), onClick: () => void navigate(paths.post(result.id)) },
          },
    failed: ({ message }) => t('createFailed', { message }),
    onSuccess: (result) => {
      draft.change(postDraft.empty);
      mentions.clear();
      removeFiles();
      setMode(null);
      setKeyOf(keyPerBody);
      onOpenChange(false);
      // The next post can be written while the lists are read again.
      create.reset();
      if (result !== 'waiting') return postsChanged(queryClient);
    },
  });

  const most = isArticle ? longest.article : longest.post;
  const address = webAddress(videoUrl.trim());
  const uploading = (mode === 'photo' && pictures.uploading) || (mode === 'pdf' && pdf.uploading);
  const hasFiles = pictures.chosen.length > 0 || pdf.chosen !== null;
  /** The server previews the link of a text alone. */
  const canPreview = mode === null && !repost;
  const submit = () => {
    if (create.isPending || uploading) return;
    const refuse = (title: string, description: string) =>
      toast({ title, description, variant: 'destructive' });
    if (!content.trim() && !repost) return refuse(t('emptyTitle'), t('emptyText'));
    if (isTooLong(content, most)) return refuse(t('tooLongTitle'), t('tooLongText', { max: most }));
    if (mode === 'article' && !title.trim()) return refuse(t('untitled'), t('untitledText'));
    if (mode === 'video' && !address) return refuse(t('noVideo'), t('noVideoText'));
    // Unused optional fields are omitted, as in the specification.
    create.mutate({
      userId: user.id,
      content: mentions.encode(content),
      ...(communityId && !repost && { communityId }),
      ...(mode === 'article' && { title: title.trim() }),
      ...(mode === 'photo' && picturesIn(pictures.chosen)),
      ...(mode === 'pdf' && pdf.stored && { pdfId: pdf.stored.id }),
      ...(mode === 'video' && address && { videoUrl: address }),
      ...(canPreview &&
        withoutLink !== '' &&
        withoutLink === linkToPreview(content) && { withoutLinkPreview: true }),
      ...(repost && { repostOf: repost.id }),
    });
  };

  return (
    <FormDialog
      open={open}
      dirty={hasFiles}
      busy={create.isPending}
      question={{ title: t('pictureUnsaved'), text: t('pictureUnsavedText'), action: t('noPicture') }}
      onClose={() => {
        removeFiles();
        if (mode === 'photo' || mode === 'pdf') become(null);
        onOpenChange(false);
      }}
      title={t(repost ? 'repostTitle' : isArticle ? 'createArticle' : 'create')}
      description={t(communityId ? 'createHintCommunity' : 'createHint')}
      width={isArticle ? 'lg' : 'md'}
      footerLine={isArticle}
      footer={
        <>
          {!repost && <Attachments mode={mode} onAttach={attach} />}
          <EmojiButton fieldId={fieldId} className={repost ? '-ml-2' : 'max-[22.4rem]:w-7!'} />
          <Button
            className="ml-auto max-[22.4rem]:px-2! min-[22.4rem]:min-w-24"
            busy={create.isPending}
            busyLabel={t('posting')}
            disabled={uploading}
            onClick={submit}
          >
            {t(repost ? 'repost' : 'post')}
          </Button>
        </>
      }
    >
      <ComposerHead
        user={user}
        community={community}
        audience={audience}
        onAudience={repost ? null : (audience) => edit({ audience })}
      />
      {isArticle && (
        <div className="mt-4 flex items-end gap-2">
          <TextField
            label={t('articleTitle')}
            fieldClassName="flex-1"
            maxLength={longest.title}
            value={title}
            readOnly={create.isPending}
            onChange={({ target }) => edit({ title: target.value })}
          />
          <Remove label={t('noArticle')} onClick={() => become(null)} />
        </div>
      )}
      <MentionTextArea
        id={fieldId}
        mentions={mentions}
        aria-label={t(isArticle ? 'articleText' : 'post')}
        placeholder={t(repost ? 'repostPlaceholder' : isArticle ? 'articlePlaceholder' : 'placeholder')}
        maxLength={most}
        className={`mt-4 block field-sizing-content w-full resize-none bg-transparent text-[1.0625rem] leading-7 outline-none ${repost ? 'min-h-20' : 'min-h-44'}`}
        value={content}
        readOnly={create.isPending}
        onText={(content) => edit({ content })}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      <DraftHint
        value={draft.value}
        empty={postDraft.empty}
        isEmpty={postDraft.isEmpty(draft.value)}
        className="pb-2"
        onChange={(value) => {
          draft.change(value);
          setMode(value.mode);
        }}
      />
      {canPreview && (
        <ComposerLink
          text={content}
          removed={withoutLink}
          onRemove={(withoutLink) => edit({ withoutLink })}
        />
      )}
      {isArticle && <p className="pb-3 text-caption text-muted-foreground">{t('markdownHint')}</p>}
      <ComposerDrop takesFiles={takesFiles} onFiles={addFiles} />
      {/* Not the text, which would lose the focus. */}
      <fieldset disabled={create.isPending} className="contents">
        {mode === 'photo' && (
          <PicturesField
            pictures={pictures}
            choosing={choosing}
            onRemove={() => {
              pictures.clear();
              become(null);
            }}
          />
        )}
        {mode === 'pdf' && (
          <div className="mt-3">
            <PdfField
              label={t('pdf')}
              file={pdf.chosen}
              busy={pdf.uploading}
              onChoose={pdf.choose}
              onRemove={() => {
                pdf.clear();
                become(null);
              }}
            />
          </div>
        )}
        {mode === 'video' && (
          <div className="mt-3 flex items-end gap-2">
            <TextField
              label={t('videoUrl')}
              type="url"
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
              fieldClassName="flex-1"
              maxLength={longest.video}
              value={videoUrl}
              onChange={({ target }) => edit({ videoUrl: target.value })}
            />
            <Remove label={t('noVideoLink')} onClick={() => become(null)} />
          </div>
        )}
      </fieldset>
      {repost && (
        <div className="-mx-4 md:-mx-5">
          <Reposted
            within="composer"
            repost={repost.repost?.id && !repost.content ? repost.repost : repost}
          />
        </div>
      )}
    </FormDialog>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return <IconButton icon={X} glyph="icon-sm" className="mb-0.5" label={label} onClick={onClick} />;
}

function Attachments({ mode, onAttach }: { mode: ComposerMode; onAttach: (kind: DialogAttachment) => void }) {
  const { t } = useTranslation('posts');
  return (
    <TooltipGroup>
      <div className="-ml-2 flex max-[22.4rem]:*:w-7!">
        {dialogAttachments.map(([kind, Icon]) => (
          <Tooltip key={kind} label={t(kind)}>
            <IconButton
              icon={Icon}
              label={t(kind)}
              aria-pressed={kind === 'event' ? undefined : mode === kind}
              className={mode === kind ? 'bg-selected!' : ''}
              onClick={() => onAttach(kind)}
            />
          </Tooltip>
        ))}
      </div>
    </TooltipGroup>
  );
}
