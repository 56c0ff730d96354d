// A titled part of a case, and a quoted text of a member.
import type { ReactNode } from 'react';

export function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-3">
      <p className="text-caption font-semibold text-muted-foreground">{title}</p>
      {children}
    </div>
  );
}

/** A text of a member with its line breaks. */
export function Quote({ children }: { children: string }) {
  return (
    <blockquote
      dir="auto"
      className="mt-1 border-l-2 border-gold pl-3 text-ui whitespace-pre-wrap wrap-anywhere"
    >
      {children}
    </blockquote>
  );
}
