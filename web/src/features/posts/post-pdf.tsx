// The PDF file of a post as a card: its name and size, and the way to download it.
import { Download, FileText } from 'lucide-react';
import type { PostPdf } from '@/api/types';
import { formatFileSize } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';

export function PdfCard({ pdf: { name, size, url } }: { pdf: PostPdf }) {
  const { t, i18n } = useTranslation('posts');
  return (
    <div className="px-4 pb-3 md:px-5">
      <a
        href={url}
        download={name}
        className="flex items-center gap-3.5 rounded-lg border p-3 hover:bg-hover"
      >
        <span className="grid size-12 shrink-0 place-items-center rounded-md bg-ink text-on-ink">
          <FileText className="icon" aria-hidden="true" />
        </span>
        <span className="min-w-0 flex-1">
          <span dir="auto" className="line-clamp-2 text-ui font-semibold wrap-anywhere">
            {name}
          </span>
          <span className="block text-micro text-muted-foreground">
            {t('pdfSize', { size: formatFileSize(i18n.language, size) })}
          </span>
        </span>
        <span className="sr-only">{t('pdfDownload')}</span>
        <Download className="icon-sm text-muted-foreground" aria-hidden="true" />
      </a>
    </div>
  );
}
