// Takes the files that are dropped on the page while the composer is open, and says so while they are above it.
import { useRef } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { useFileDrop } from '@/ui/data-transfer';

/** Also the page around the dialog: a file dropped there would replace Portia in this tab. */
const pageOf = ({ ownerDocument }: HTMLElement) => ownerDocument.documentElement;

interface ComposerDropProps {
  /** False for a post that can have no files: it says so instead. */
  takesFiles: boolean;
  onFiles: (files: File[]) => void;
}

export function ComposerDrop({ takesFiles, onFiles }: ComposerDropProps) {
  const { t } = useTranslation('posts');
  const mark = useRef<HTMLDivElement>(null);
  const dragging = useFileDrop(mark, pageOf, onFiles);
  return (
    <div ref={mark}>
      {dragging && (
        <p className="mt-3 rounded-lg border border-dashed border-gold p-3 text-caption font-semibold">
          {t(takesFiles ? 'dropFiles' : 'noFilesHere')}
        </p>
      )}
    </div>
  );
}
