// The pictures and the file of a reported message, which the sender may have deleted.
import { Download, FileText } from 'lucide-react';
import type { MessageFile, MessagePicture } from '@/api/types';
import { PostPictures } from '@/features/posts/post-pictures';
import { formatFileSize } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';

interface ReportedAttachmentsProps {
  pictures: MessagePicture[];
  file: MessageFile | null;
}

export function ReportedAttachments({ pictures, file }: ReportedAttachmentsProps) {
  const { t, i18n } = useTranslation('moderation');
  return (
    <>
      {pictures.length > 0 && (
        <div className="mt-1 w-72 max-w-full overflow-hidden rounded-md">
          <PostPictures pictures={pictures} />
        </div>
      )}
      {file && (
        <a
          href={file.url}
          download={file.name}
          className="mt-1 flex w-72 max-w-full items-center gap-3 rounded-md border p-2.5 hover:bg-hover"
        >
          <FileText className="icon-sm shrink-0" aria-hidden="true" />
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block text-caption font-semibold wrap-anywhere">
              {file.name}
            </span>
            <span className="block text-micro text-muted-foreground">
              {formatFileSize(i18n.language, file.size)}
            </span>
          </span>
          <span className="sr-only">{t('downloadFile')}</span>
          <Download className="icon-sm shrink-0 text-muted-foreground" aria-hidden="true" />
        </a>
      )}
    </>
  );
}
