// One section of the settings: its description beside its card, or above it where the menu leaves little room.
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router';
import { Card } from '@/ui/card';
import type { SettingsAnchor } from './settings-pages';

interface SettingsSectionProps {
  anchor?: SettingsAnchor;
  title: string;
  about?: string;
  /** To focus the heading when the focused element disappears. */
  headingRef?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

export function SettingsSection({ anchor, title, about, headingRef, children }: SettingsSectionProps) {
  const id = useId();
  const own = useRef<HTMLHeadingElement>(null);
  const heading = headingRef ?? own;
  const { hash, key } = useLocation();
  // Also when a link to the section is pressed on its own page.
  useEffect(() => {
    if (!key || hash !== `#${anchor}`) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView?.();
  }, [hash, key, anchor, heading]);
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-x-8 gap-y-3 xl:grid-cols-[16rem_minmax(0,1fr)]"
    >
      <div className="max-xl:px-1 xl:pt-1">
        <h2 id={id} ref={heading} tabIndex={-1} className="text-subhead outline-none">
          {title}
        </h2>
        {about && <p className="mt-1 text-caption text-pretty text-muted-foreground">{about}</p>}
      </div>
      <Card className="min-w-0 p-4 md:p-5">{children}</Card>
    </section>
  );
}
