// The files of the message that is being written: previews, descriptions, and buttons that remove them.
import { FileText, X } from 'lucide-react';
import { limits } from '@/api/limits.gen';
import { formatFileSize } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { IconButton } from '@/ui/icon-button';
import type { DraftFile } from './draft-files';
import { useFileUrl } from './use-file-url';

interface DraftFileListProps {
  memberId: string;
  files: DraftFile[];
  onDescribe: (id: string, alt: string) => void;
  onRemove: (id: string) => void;
}

export function DraftFileList({ memberId, files, onDescribe, onRemove }: DraftFileListProps) {
  const { t, i18n } = useTranslation('messages');
  return (
    <ul aria-label={t('attachments')} className="max-h-48 w-full space-y-2 overflow-y-auto p-0.5">
      {files.map(({ id, kind, name, size, alt }, at) => (
        <li key={id} className="flex items-center gap-2.5">
          {kind === 'picture' ? (
            <>
              <Preview memberId={memberId} id={id} />
              <input
                className="input min-w-0 flex-1"
                dir="auto"
                aria-label={t('describe', { number: at + 1 })}
                placeholder={t('describeHint')}
                maxLength={limits.NewMessagePicture.alt.max}
                value={alt}
                onChange={({ target }) => onDescribe(id, target.value)}
              />
            </>
          ) : (
            <>
              <span className="grid size-11 shrink-0 place-items-center rounded-md bg-ink text-on-ink">
                <FileText className="icon-sm" />
              </span>
              <p className="min-w-0 flex-1 text-caption">
                <span dir="auto" className="block truncate font-semibold">
                  {name}
                </span>
                <span className="block text-muted-foreground">{formatFileSize(i18n.language, size)}</span>
              </p>
            </>
          )}
          <IconButton
            icon={X}
            glyph="icon-sm"
            size="sm"
            label={kind === 'picture' ? t('removePicture', { number: at + 1 }) : t('removeFile', { name })}
            onClick={() => onRemove(id)}
          />
        </li>
      ))}
    </ul>
  );
}

function Preview({ memberId, id }: { memberId: string; id: string }) {
  const url = useFileUrl(memberId, id);
  return url ? (
    <img src={url} alt="" className="size-11 shrink-0 rounded-md bg-muted object-cover" />
  ) : (
    <span className="size-11 shrink-0 rounded-md bg-skeleton" />
  );
}
