// The tooltip, based on Radix: 700 ms to open, 300 ms to skip (specification, section 9).
import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import type { TooltipProps } from './tooltip';

export const tooltipDelay = 700;
export const tooltipSkipDelay = 300;

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={tooltipDelay} skipDelayDuration={tooltipSkipDelay}>
      {children}
    </Radix.Provider>
  );
}

export function TooltipAround({ label, className = '', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className={`animate-float z-(--z-tooltip) max-w-64 rounded-sm bg-ink px-2 py-1 text-micro text-on-ink ${className}`}
        >
          {label}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
