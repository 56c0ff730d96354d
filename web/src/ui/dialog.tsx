// The dialog: centred from 768 px, a bottom sheet below; based on Radix for focus and Escape.
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { buttonClass } from './button';
import { focusedBefore, focusWithTyped } from './type-ahead';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Read by screen readers after the title. */
  description?: string;
  /** 544 px, or 640 px for Edit Profile. */
  width?: 'md' | 'lg';
  children: ReactNode;
  /** The row below the body; put `ml-auto` on the first of the right-aligned buttons. */
  footer?: ReactNode;
  /** A hairline above the footer, for a body that can scroll. */
  footerLine?: boolean;
}

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  width = 'md',
  children,
  footer,
  footerLine,
}: DialogProps) {
  const { t } = useTranslation('shell');
  const body = useRef<HTMLDivElement>(null);
  usePageEvents(open);
  const opener = useOpener();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="animate-overlay fixed inset-0 z-(--z-overlay) flex items-end justify-center bg-overlay md:items-center md:p-6">
          <Radix.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            onCloseAutoFocus={opener.restore}
            // The field closes its list of suggestions.
            onEscapeKeyDown={(event) => isSuggesting(document.activeElement) && event.preventDefault()}
            onOpenAutoFocus={(event) => {
              opener.remember();
              // The marked field, such as an empty one after a filled one, else the first.
              const first =
                body.current?.querySelector<HTMLElement>('[data-initial-focus]') ??
                body.current?.querySelector<HTMLElement>('input, textarea, select');
              if (!first) return;
              event.preventDefault();
              focusWithTyped(first);
            }}
            className={`animate-dialog flex max-h-[calc(100dvh-2.5rem)] w-full flex-col bg-popover shadow-dialog max-md:rounded-t-xl md:rounded-xl ${width === 'lg' ? 'max-w-[40rem]' : 'max-w-[34rem]'}`}
          >
            <div className="flex items-center justify-between gap-3 px-5 pt-4 pb-3 md:px-6 md:pt-5">
              <Radix.Title className="font-serif text-heading">{title}</Radix.Title>
              <Radix.Close
                aria-label={t('close')}
                className={buttonClass({ variant: 'ghost', iconOnly: true, className: '-mr-2' })}
              >
                <X className="icon" />
              </Radix.Close>
            </div>
            {description && <Radix.Description className="sr-only">{description}</Radix.Description>}
            <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-5 py-1 md:px-6">
              {children}
            </div>
            {footer && (
              <div
                className={`flex items-center gap-2 px-5 py-4 max-md:pb-[calc(1rem+env(safe-area-inset-bottom))] md:px-6 ${footerLine ? 'border-t' : ''}`}
              >
                {footer}
              </div>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the dialog around it by this button, in the same way as Escape. */
export function DialogClose({ children }: { children: ReactElement }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}

/** Whether Escape closes a list of the field. */
const isSuggesting = (field: Element | null) => field?.hasAttribute('data-suggesting') ?? false;

let openDialogs = 0;

/**
 * Radix takes pointer events from the body, and every element of the page would inherit the change: styling them takes a
 * phone longer than the rest of opening and closing. The overlay covers the page anyway.
 */
export function usePageEvents(open: boolean): void {
  useLayoutEffect(() => {
    if (open) countDialogs(1);
  }, [open]);
  // After Radix has returned them to the body.
  useEffect(() => {
    if (!open) return;
    return () => countDialogs(-1);
  }, [open]);
}

function countDialogs(change: number): void {
  openDialogs += change;
  document.getElementById('root')?.style.setProperty('pointer-events', openDialogs > 0 ? 'auto' : '');
}

/** Radix returns the focus only to its own trigger; these dialogs can be opened from any element. */
function useOpener() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = focusedBefore();
    },
    restore: (event: Event) => {
      event.preventDefault();
      // The confirmed action may have removed the opener, and the dialog of the opener may have returned the focus already.
      const isLost = document.activeElement === document.body;
      const to = opener.current?.isConnected ? opener.current : isLost && document.querySelector('main');
      if (to instanceof HTMLElement) to.focus();
    },
  };
}

/** A sheet from below at every width, for the phone's More menu. */
export function BottomSheet({
  open,
  onOpenChange,
  label,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  children: ReactNode;
}) {
  const opener = useOpener();
  usePageEvents(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="animate-overlay fixed inset-0 z-(--z-overlay) flex items-end justify-center bg-overlay">
          <Radix.Content
            aria-describedby={undefined}
            onOpenAutoFocus={opener.remember}
            onCloseAutoFocus={opener.restore}
            className="animate-sheet max-h-[calc(100dvh-2.5rem)] w-full max-w-[34rem] overflow-y-auto rounded-t-xl bg-popover px-3 pt-2 pb-[calc(0.75rem+env(safe-area-inset-bottom))] shadow-dialog"
          >
            <Radix.Title className="sr-only">{label}</Radix.Title>
            <div className="mx-auto mb-2 h-1 w-9 rounded-full bg-border" />
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
