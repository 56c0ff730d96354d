// The menu beside a member, with the actions that the screen has no buttons for.
import type { ReactNode } from 'react';
import type { Author, Connection, Report } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import type { MenuAction } from '@/ui/action-menu';
import { lazy } from '@/ui/lazy';
import { MoreButton } from '@/ui/more-menu';

const PersonMenuItems = lazy(async () => (await import('./person-menu-items')).PersonMenuItems);

export interface PersonItems {
  person: Author;
  /** Also offers connect, accept and message, where no other button does. */
  connects?: boolean;
  /** The connection, if the screen has it; otherwise it is fetched when the menu opens. */
  connection?: Connection;
  /** Additional items of the screen, about the entity beside the menu. */
  actions?: MenuAction[];
  /** More items for a member. */
  also?: ReactNode;
  /** Items below all others. They may appear later than the menu, and move no other item. */
  last?: ReactNode;
  /** The subject of a report; by default the member. */
  reports?: Pick<Report, 'kind' | 'id'>;
}

interface PersonMenuProps extends PersonItems {
  /** Load the code of lazy items: the menu opens with all of them. */
  loads?: readonly (() => Promise<unknown>)[];
  /** The name of the button, if the member has another button beside it. */
  label?: string;
  size?: 'sm' | 'md';
  className?: string;
}

/** Renders nothing for the signed-in member. */
export function PersonMenu({ loads = [], label, size, className, ...items }: PersonMenuProps) {
  const { person, connects } = items;
  const { t } = useTranslation('network');
  const { user, isLoading } = useAuth();
  if (isLoading || user?.id === person.id || (!user && !connects)) return null;
  return (
    <MoreButton
      size={size}
      className={className}
      label={label ?? t('more', { name: person.fullName })}
      load={() => Promise.all([PersonMenuItems.load, ...loads].map((load) => load()))}
      floating={(trigger) => <PersonMenuItems {...items} me={user} trigger={trigger} />}
    />
  );
}
