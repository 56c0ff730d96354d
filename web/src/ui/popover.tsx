// A floating panel below its button.
import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface PopoverProps {
  /** One focusable element. */
  trigger: ReactNode;
  children: ReactNode;
  label: string;
  className?: string;
  /** The id of the element to align with, if it is not the trigger. */
  anchorId?: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Popover({
  trigger,
  children,
  label,
  className = 'w-[22.5rem]',
  anchorId,
  open,
  onOpenChange,
}: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {anchorId && <Radix.Anchor virtualRef={{ current: document.getElementById(anchorId) }} />}
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={10}
          collisionPadding={12}
          aria-label={label}
          // Focuses the panel itself: its content may still be loading.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          // A followed link has moved the focus already.
          onCloseAutoFocus={(event) => {
            if (document.activeElement !== document.body) event.preventDefault();
          }}
          className={`floating animate-float max-h-120 max-w-[calc(100vw-1.5rem)] overflow-y-auto ${className}`}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
