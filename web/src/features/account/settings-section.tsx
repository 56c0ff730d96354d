// One section of the settings: description on the left, card on the right; stacked on a phone.
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router';
import { Card } from '@/ui/card';
import type { SettingsAnchor } from './settings-contents';

interface SettingsSectionProps {
  /** The hash of the address of a section of the settings screen. */
  anchor?: SettingsAnchor;
  title: string;
  about: string;
  /** To focus the heading when the focused element disappears. */
  headingRef?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

export function SettingsSection({ anchor, title, about, headingRef, children }: SettingsSectionProps) {
  const id = useId();
  const own = useRef<HTMLHeadingElement>(null);
  const heading = headingRef ?? own;
  const { hash, key } = useLocation();
  // Also when a link to the section is pressed on the settings screen itself.
  useEffect(() => {
    if (!key || hash !== `#${anchor}`) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView?.();
  }, [hash, key, anchor, heading]);
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-x-8 gap-y-3 md:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]"
    >
      <div className="max-md:px-1 md:pt-1">
        <h2 id={id} ref={heading} tabIndex={-1} className="text-subhead outline-none">
          {title}
        </h2>
        <p className="mt-1 text-caption text-pretty text-muted-foreground">{about}</p>
      </div>
      <Card className="min-w-0 p-4 md:p-5">{children}</Card>
    </section>
  );
}
