// The flat card and its heading row.
import type { ComponentProps, ReactNode } from 'react';

export function Card({ className = '', ...rest }: ComponentProps<'section'>) {
  return <section className={`card ${className}`} {...rest} />;
}

/** A card's heading with an optional control at the right edge. */
export function CardHeading({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <h2 className="text-subhead">{children}</h2>
      {action}
    </div>
  );
}
