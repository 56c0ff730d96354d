// A field for one PDF file: its name and size, and buttons that choose, replace and remove it.
import i18next from 'i18next';
import { FileText } from 'lucide-react';
import { useId, useRef } from 'react';
import { formatFileSize } from '@/i18n/format';
import { addTexts } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import en from '@/locales/en/files.json';
import fil from '@/locales/fil/files.json';
import { Button } from './button';
import { toast } from './toast';

/** The server accepts no larger file, in bytes. */
const largest = 5 * 1024 * 1024;

export const isPdf = ({ type }: File): boolean => type === 'application/pdf';

/** The server checks the content; this saves the wait for its answer. Otherwise a toast shows the reason. */
export function usablePdf(file: File): boolean {
  const isUsable = isPdf(file) && file.size <= largest;
  if (!isUsable)
    toast({
      title: i18next.t('files:refused'),
      description: i18next.t('files:refusedText'),
      variant: 'destructive',
    });
  return isUsable;
}

interface PdfFieldProps {
  label: string;
  /** With a URL, the name is a link that downloads it. */
  file: { name: string; size: number; url?: string } | null;
  /** An upload or a deletion is running. */
  busy?: boolean;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

export function PdfField({ label, file, busy = false, onChoose, onRemove }: PdfFieldProps) {
  const { t, i18n } = useTranslation('files');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const choose = (chosen: File | undefined) => {
    if (chosen && usablePdf(chosen)) onChoose(chosen);
  };
  return (
    <fieldset
      aria-labelledby={id}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border p-3"
    >
      <FileText className="icon shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1 basis-40">
        <p id={id} className="text-ui font-medium">
          {label}
        </p>
        <p className="text-caption text-muted-foreground wrap-anywhere" role="status">
          {busy ? t('uploading') : file ? <Described file={file} language={i18n.language} /> : t('hint')}
        </p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/pdf,.pdf"
        aria-label={t('chooseFor', { label })}
        onChange={({ target }) => {
          choose(target.files?.[0]);
          // Allows selecting the same file again.
          target.value = '';
        }}
      />
      <div className="flex gap-1">
        <Button
          variant="outline"
          size="sm"
          aria-disabled={busy}
          aria-label={t(file ? 'replaceFor' : 'chooseFor', { label })}
          onClick={() => !busy && input.current?.click()}
        >
          {t(file ? 'replace' : 'choose')}
        </Button>
        {file && (
          <Button
            variant="ghost"
            size="sm"
            aria-disabled={busy}
            aria-label={t('removeFor', { label })}
            onClick={() => !busy && onRemove()}
          >
            {t('remove')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function Described({
  file: { name, size, url },
  language,
}: {
  file: NonNullable<PdfFieldProps['file']>;
  language: string;
}) {
  return (
    <>
      {url ? (
        <a href={url} download={name} className="link reach">
          {name}
        </a>
      ) : (
        name
      )}
      {` · ${formatFileSize(language, size)}`}
    </>
  );
}

// Part of this code, because several screens attach files.
addTexts('files', { en, fil });
