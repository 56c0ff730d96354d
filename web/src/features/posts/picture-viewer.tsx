// The pictures of a post in full: one at a time, by arrow keys, buttons or swiping.
import { ChevronLeft, ChevronRight, type LucideIcon, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { PostImage } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { usePageEvents } from '@/ui/dialog';

interface PictureViewerProps {
  pictures: PostImage[];
  /** The index of the first picture shown. */
  start: number;
  onClose: () => void;
}

/** Pixels that a finger moves before it is a swipe. */
const swipe = 48;

const control =
  'grid size-11 shrink-0 cursor-pointer place-items-center rounded-full text-on-ink outline-on-ink hover:bg-on-ink/15 aria-disabled:cursor-default aria-disabled:opacity-40';

export function PictureViewer({ pictures, start, onClose }: PictureViewerProps) {
  usePageEvents(true);
  const { t } = useTranslation(['posts', 'shell']);
  const [at, setAt] = useState(start);
  const opener = useRef<Element | null>(null);
  const begun = useRef<{ x: number; y: number } | null>(null);
  const last = pictures.length - 1;
  const shown = pictures[at] ?? pictures[0];
  const show = (next: number) => setAt(Math.min(Math.max(next, 0), last));

  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') show(at - 1);
    else if (key === 'ArrowRight') show(at + 1);
    else if (key === 'Home') show(0);
    else if (key === 'End') show(last);
  };
  const onPointerUp = ({ clientX, clientY }: PointerEvent) => {
    const from = begun.current;
    begun.current = null;
    if (!from) return;
    const [x, y] = [clientX - from.x, clientY - from.y];
    if (Math.abs(x) >= swipe && Math.abs(x) > Math.abs(y)) show(x < 0 ? at + 1 : at - 1);
  };
  if (!shown) return null;
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="animate-overlay fixed inset-0 z-(--z-overlay) bg-ink" />
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
          }}
          className="fixed inset-0 z-(--z-dialog) flex flex-col text-on-ink"
        >
          <div className="flex items-center justify-between gap-3 px-3 py-2 md:px-4">
            <Dialog.Title className="sr-only">{t('viewer')}</Dialog.Title>
            <p role="status" className="px-2 text-ui font-medium tabular-nums">
              {pictures.length > 1 && t('viewerCount', { number: at + 1, count: pictures.length })}
            </p>
            <Dialog.Close aria-label={t('shell:close')} className={control}>
              <X className="icon" />
            </Dialog.Close>
          </div>
          <div className="relative flex min-h-0 flex-1 items-center justify-center md:px-16">
            <img
              key={shown.url}
              src={shown.url}
              alt={shown.alt || t('pictureUnnamed')}
              draggable={false}
              className="max-h-full max-w-full touch-pan-y object-contain select-none"
              onPointerDown={({ clientX, clientY, isPrimary }) => {
                begun.current = isPrimary ? { x: clientX, y: clientY } : null;
              }}
              onPointerUp={onPointerUp}
              onPointerCancel={() => {
                begun.current = null;
              }}
            />
            {last > 0 && (
              <>
                <Step
                  icon={ChevronLeft}
                  label={t('previousPicture')}
                  side="left-3"
                  end={at === 0}
                  onStep={() => show(at - 1)}
                />
                <Step
                  icon={ChevronRight}
                  label={t('nextPicture')}
                  side="right-3"
                  end={at === last}
                  onStep={() => show(at + 1)}
                />
              </>
            )}
          </div>
          <p
            dir="auto"
            className="mx-auto max-h-[30dvh] min-h-11 max-w-measure overflow-y-auto px-5 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] text-center text-ui text-pretty wrap-anywhere"
          >
            {shown.alt}
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface StepProps {
  icon: LucideIcon;
  label: string;
  side: string;
  /** There is no further picture. The button keeps the focus. */
  end: boolean;
  onStep: () => void;
}

function Step({ icon: Icon, label, side, end, onStep }: StepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={end}
      className={`${control} absolute ${side} bg-ink/60`}
      onClick={onStep}
    >
      <Icon className="icon" />
    </button>
  );
}
