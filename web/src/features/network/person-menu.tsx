// The three dots beside a person: what one can do about them besides what the screen already offers.
import { Ellipsis } from 'lucide-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import type { Author, Connection } from '@/api/types';
import { useAuth } from '@/session/auth';
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
  size?: 'sm' | 'md';
  className?: string;
}

/** Nothing for oneself. Needs the texts of `network`. */
export function PersonMenu({ person, connects, connection, size, className }: PersonMenuProps) {
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
          aria-label={t('more', { name: person.fullName })}
          aria-haspopup="menu"
          {...handlers}
        >
          <Ellipsis className="icon" aria-hidden="true" />
        </Button>
      )}
    </OnDemand>
  );
}
