// One section of the settings: description on the left, card on the right; stacked on a phone.
import { type ReactNode, type Ref, useId } from 'react';
import { Card } from '@/ui/card';

interface SettingsSectionProps {
  title: string;
  about: string;
  /** To focus the heading when the focused element disappears. */
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export function SettingsSection({ title, about, headingRef, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-x-8 gap-y-3 md:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]"
    >
      <div className="max-md:px-1 md:pt-1">
        <h2 id={id} ref={headingRef} tabIndex={-1} className="text-subhead outline-none">
          {title}
        </h2>
        <p className="mt-1 text-caption text-pretty text-muted-foreground">{about}</p>
      </div>
      <Card className="min-w-0 p-4 md:p-5">{children}</Card>
    </section>
  );
}
