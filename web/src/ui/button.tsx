// Buttons, and the same style for links (DESIGN.md, section 5, Button).
import type { ComponentProps, ReactNode } from 'react';

type Variant = 'primary' | 'outline' | 'secondary' | 'ghost' | 'gold' | 'on-ink' | 'destructive' | 'done';

interface Look {
  variant?: Variant;
  size?: 'sm' | 'md' | 'lg';
  /** Square, for a single icon; needs an `aria-label`. */
  iconOnly?: boolean;
  className?: string;
}

/** The classes of a button, for a `<Link>` with its style. */
export function buttonClass({ variant = 'primary', size = 'md', iconOnly, className }: Look = {}): string {
  return ['btn', `btn-${variant}`, size !== 'md' && `btn-${size}`, iconOnly && 'btn-icon', className]
    .filter(Boolean)
    .join(' ');
}

export type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Shown instead of the children while `busy`; the button is as wide as the longer of the two. */
    busyLabel?: ReactNode;
    /** The action is running: the button is disabled. */
    busy?: boolean;
  };

export function Button({
  variant,
  size,
  iconOnly,
  className,
  busy,
  busyLabel,
  disabled,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled || busy}
      className={buttonClass({ variant, size, iconOnly, className })}
      {...rest}
    >
      {busyLabel ? (
        <span className="grid justify-items-center">
          <Face shown={!busy}>{children}</Face>
          <Face shown={Boolean(busy)}>{busyLabel}</Face>
        </span>
      ) : (
        children
      )}
    </button>
  );
}

/** One of several labels in the same place. */
export function Face({ shown, children }: { shown: boolean; children: ReactNode }) {
  return (
    <span
      aria-hidden={!shown}
      className={`col-start-1 row-start-1 inline-flex items-center gap-2 ${shown ? '' : 'invisible'}`}
    >
      {children}
    </span>
  );
}
