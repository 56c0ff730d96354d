// The pictures and the file of a message; this browser provides them for an outgoing message.
import { Download, FileText, Lock } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { MessageFile } from '@/api/schema.gen';
import { PostPictures } from '@/features/posts/post-pictures';
import { formatFileSize } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { attachedTo, type DraftFile } from './draft-files';
import { subscribeUploads, uploadProgress } from './file-uploads';
import type { Row } from './rows';
import { useThread } from './thread-context';
import { useFileUrl } from './use-file-url';

/** The width of several pictures and of a file card. */
const frame = 'my-1 w-72 max-w-full overflow-hidden rounded-md';

export function MessageAttachments({ row: { key, message, files } }: { row: Row }) {
  const { t } = useTranslation('messages');
  const { isRequest } = useThread();
  if (!message) return files.length > 0 && <OutgoingFiles messageKey={key} files={files} />;
  if (message.deleted || !attachedTo(message)) return null;
  if (isRequest)
    return (
      <p className="flex items-start gap-1.5 py-1 text-caption opacity-90">
        <Lock className="mt-0.5 size-3.5 shrink-0" />
        {t('hiddenAttachments')}
      </p>
    );
  return (
    <>
      {message.pictures && message.pictures.length > 0 && (
        <div className={frame}>
          <PostPictures id={message.id} pictures={message.pictures} />
        </div>
      )}
      {message.file && <FileCard file={message.file} url={message.file.url} />}
    </>
  );
}

/** Without a URL, it is being sent. */
function FileCard({ file: { name, size }, url }: { file: Pick<MessageFile, 'name' | 'size'>; url?: string }) {
  const { t, i18n } = useTranslation('messages');
  const look = `${frame} flex items-center gap-3 border bg-card p-2.5 text-left text-foreground`;
  const parts = (
    <>
      <span className="grid size-10 shrink-0 place-items-center rounded-md bg-ink text-on-ink">
        <FileText className="icon-sm" />
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="line-clamp-2 text-caption font-semibold wrap-anywhere">
          {name}
        </span>
        <span className="block text-micro text-muted-foreground">
          {t('fileSize', { size: formatFileSize(i18n.language, size) })}
        </span>
      </span>
    </>
  );
  if (!url) return <div className={look}>{parts}</div>;
  return (
    <a href={url} download={name} className={`${look} hover:bg-hover`}>
      {parts}
      <span className="sr-only">{t('downloadFile')}</span>
      <Download className="icon-sm text-muted-foreground" />
    </a>
  );
}

function OutgoingFiles({ messageKey, files }: { messageKey: string; files: DraftFile[] }) {
  const { t } = useTranslation('messages');
  const progress = useSyncExternalStore(subscribeUploads, () => uploadProgress(messageKey));
  const pictures = files.filter(({ kind }) => kind === 'picture');
  const [file] = files.filter(({ kind }) => kind === 'file');
  return (
    <>
      {pictures.length > 0 && (
        <div className={`${frame} grid gap-0.5 ${pictures.length > 1 ? 'grid-cols-2' : ''}`}>
          {pictures.map((picture) => (
            <OutgoingPicture key={picture.id} picture={picture} />
          ))}
        </div>
      )}
      {file && <FileCard file={file} />}
      {progress && (
        <span role="status" className="block py-1 text-caption">
          {t('uploading', { number: progress.done + 1, count: progress.of })}
          <progress
            className="mt-1 block h-1 w-full"
            aria-hidden="true"
            value={progress.done}
            max={progress.of}
          />
        </span>
      )}
    </>
  );
}

function OutgoingPicture({ picture: { id, alt } }: { picture: DraftFile }) {
  const { me } = useThread();
  const url = useFileUrl(me.id, id);
  return (
    <div className="aspect-3/2 bg-skeleton">
      {url && <img src={url} alt={alt} className="size-full object-cover" />}
    </div>
  );
}
