// A part of the tab Manage, with its heading and a line of explanation.
import { type ReactNode, useId } from 'react';

interface ManagePartProps {
  title: string;
  hint: string;
  children: ReactNode;
}

export function ManagePart({ title, hint, children }: ManagePartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="font-serif text-heading">
        {title}
      </h2>
      <p className="mt-0.5 mb-3 max-w-measure text-caption text-pretty text-muted-foreground">{hint}</p>
      {children}
    </section>
  );
}
