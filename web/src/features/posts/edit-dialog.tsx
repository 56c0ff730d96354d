// Edits the member's own post: text, article title, alt text.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { api, read } from '@/api/client';
import { postQuery } from '@/api/queries';
import { postsChanged } from '@/api/saved';
import type { Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { ErrorPanel } from '@/ui/error-panel';
import { TextField } from '@/ui/field';
import { FormButtons } from '@/ui/form-buttons';
import { FormDialog } from '@/ui/form-dialog';
import { Loading } from '@/ui/skeleton';
import { toast } from '@/ui/toast';
import { longest } from './lengths';
import { MentionTextArea } from './text/mention-text-area';
import { isTooLong } from './text/text-length';
import { useMentions } from './text/use-mentions';

interface EditDialogProps {
  post: Post;
  open: boolean;
  onClose: () => void;
}

export function EditDialog({ post, open, onClose }: EditDialogProps) {
  const { t } = useTranslation('posts');
  const form = useId();
  const isArticle = post.title !== null;
  // A list contains only the beginning of an article.
  const query = useQuery({ ...postQuery(post.id), enabled: isArticle, retryOnMount: true });
  const whole = isArticle ? query.data : post;
  const [busy, setBusy] = useState(false);
  const [dirty, setDirty] = useState(false);
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      dirty={dirty}
      busy={busy}
      title={t(isArticle ? 'editArticle' : 'editPost')}
      footer={<FormButtons form={form} send={t('saveChanges')} sending={t('savingChanges')} busy={busy} />}
    >
      {whole ? (
        <EditForm id={form} post={whole} onBusy={setBusy} onDirty={setDirty} onDone={onClose} />
      ) : query.isError ? (
        <ErrorPanel onRetry={() => void query.refetch()}>{t('postFailed')}</ErrorPanel>
      ) : (
        <Loading bars={['h-44']} />
      )}
    </FormDialog>
  );
}

interface EditFormProps {
  id: string;
  post: Post;
  onBusy: (busy: boolean) => void;
  /** Whether the input differs from the post. */
  onDirty: (dirty: boolean) => void;
  onDone: () => void;
}

function EditForm({ id, post, onBusy, onDirty, onDone }: EditFormProps) {
  const { t } = useTranslation('posts');
  const queryClient = useQueryClient();
  const [content, setContent] = useState(post.content);
  const mentions = useMentions(null, post.mentions);
  const [title, setTitle] = useState(post.title ?? '');
  const before = (post.pictures ?? []).map(({ alt }) => alt);
  const [alts, setAlts] = useState(before);
  const isArticle = post.title !== null;
  const most = isArticle ? longest.article : longest.post;
  const hasSeveral = alts.length > 1;
  const described = alts.some((alt, at) => alt !== before[at]);
  const dirty = content !== post.content || title !== (post.title ?? '') || described;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const change = useChange({
    mutationFn: () =>
      read(
        api.PATCH('/api/posts/{id}', {
          params: { path: { id: post.id } },
          body: {
            content: mentions.encode(content),
            ...(isArticle && { title: title.trim() }),
            ...(described && { pictureAlts: alts.map((alt) => alt.trim()) }),
          },
        }),
      ),
    done: () => ({ title: t('postChanged') }),
    failed: ({ message }) => t('changePostFailed', { message }),
    onSuccess: () => {
      onDone();
      return postsChanged(queryClient);
    },
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isArticle && !title.trim())
      toast({ title: t('untitled'), description: t('untitledText'), variant: 'destructive' });
    else if (!content.trim())
      toast({ title: t('emptyTitle'), description: t('emptyText'), variant: 'destructive' });
    else if (isTooLong(content, most))
      toast({
        title: t('tooLongTitle'),
        description: t('tooLongText', { max: most }),
        variant: 'destructive',
      });
    else if (!change.isPending) change.mutate();
  };
  return (
    <form id={id} noValidate onSubmit={submit} className="space-y-4 pb-2">
      {isArticle && (
        <TextField
          label={t('articleTitle')}
          maxLength={longest.title}
          value={title}
          readOnly={change.isPending}
          onChange={({ target }) => setTitle(target.value)}
        />
      )}
      <div className="flex min-w-0 flex-col gap-1.5">
        <label htmlFor={`${id}-text`} className="label self-start">
          {t(isArticle ? 'articleText' : 'words')}
        </label>
        <MentionTextArea
          id={`${id}-text`}
          aria-describedby={isArticle ? `${id}-hint` : undefined}
          mentions={mentions}
          maxLength={most}
          className="input field-sizing-content min-h-44"
          value={content}
          readOnly={change.isPending}
          onText={setContent}
        />
        {isArticle && (
          <p id={`${id}-hint`} className="text-caption text-muted-foreground">
            {t('markdownHint')}
          </p>
        )}
      </div>
      {post.pictures?.map(({ url }, at) => (
        <div key={url} className="flex items-start gap-3">
          <img src={url} alt="" className="size-16 shrink-0 rounded-md object-cover" />
          <div className="min-w-0 flex-1">
            <TextField
              label={hasSeveral ? t('altOf', { number: at + 1 }) : t('alt')}
              hint={at === 0 ? t('altHint') : undefined}
              maxLength={hasSeveral ? longest.altOfSeveral : longest.alt}
              value={alts[at] ?? ''}
              readOnly={change.isPending}
              onChange={({ target }) => setAlts(alts.with(at, target.value))}
            />
          </div>
        </div>
      ))}
    </form>
  );
}
