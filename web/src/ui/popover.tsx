// A floating panel under its button.
import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface PopoverProps {
  /** One focusable element. */
  trigger: ReactNode;
  children: ReactNode;
  label: string;
  className?: string;
  /** The id of the element to align with, when it is not the trigger. */
  anchorId?: string;
  defaultOpen?: boolean;
}

export function Popover({
  trigger,
  children,
  label,
  className = 'w-[22.5rem]',
  anchorId,
  defaultOpen,
}: PopoverProps) {
  return (
    <Radix.Root defaultOpen={defaultOpen}>
      {anchorId && <Radix.Anchor virtualRef={{ current: document.getElementById(anchorId) }} />}
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label={label}
          className={`floating animate-float max-h-120 max-w-[calc(100vw-1.5rem)] overflow-y-auto ${className}`}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
