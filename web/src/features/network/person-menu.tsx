// The three dots beside a person: what one can do about them besides what the screen already offers.
import { Ellipsis } from 'lucide-react';
import { lazy } from 'react';
import type { Author, Connection, Report } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import type { MenuAction } from '@/ui/action-menu';
import { Button } from '@/ui/button';
import { OnDemand } from '@/ui/on-demand';

const loadItems = () => import('./person-menu-items');
const PersonMenuItems = lazy(async () => ({ default: (await loadItems()).PersonMenuItems }));

interface PersonMenuProps {
  person: Author;
  /** Offers to connect, to accept and to write too, where no other button does. */
  connects?: boolean;
  /** How the two stand, where the screen knows; else it is looked up when the menu opens. */
  connection?: Connection;
  /** What the screen adds: what one can do about the thing they stand beside. */
  actions?: MenuAction[];
  /** What is reported; the member where nothing else is named. */
  reports?: Pick<Report, 'kind' | 'id'>;
  /** The name of the button, where the person has another one beside it. */
  label?: string;
  size?: 'sm' | 'md';
  className?: string;
}

/** Nothing for oneself. Needs the texts of `network`. */
export function PersonMenu({
  person,
  connects,
  connection,
  actions,
  reports,
  label,
  size,
  className,
}: PersonMenuProps) {
  const { t } = useTranslation('network');
  const { user, isLoading } = useAuth();
  if (isLoading || user?.id === person.id || (!user && !connects)) return null;
  return (
    <OnDemand
      load={loadItems}
      floating={(trigger) => (
        <PersonMenuItems
          me={user}
          person={person}
          connects={connects}
          connection={connection}
          actions={actions}
          reports={reports}
          trigger={trigger}
        />
      )}
    >
      {(handlers) => (
        <Button
          variant="ghost"
          size={size}
          iconOnly
          className={className}
          aria-label={label ?? t('more', { name: person.fullName })}
          aria-haspopup="menu"
          {...handlers}
        >
          <Ellipsis className="icon" aria-hidden="true" />
        </Button>
      )}
    </OnDemand>
  );
}
