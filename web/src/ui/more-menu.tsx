// A three-dot button with a menu of actions, which loads on first use.
import { Ellipsis } from 'lucide-react';
import type { MenuAction } from './action-menu';
import { IconButton } from './icon-button';
import { lazy } from './lazy';
import { OnDemand } from './on-demand';

const ActionMenu = lazy(async () => (await import('./action-menu')).ActionMenu);

interface MoreMenuProps {
  /** The name of the button. */
  label: string;
  actions: readonly MenuAction[];
  className?: string;
}

export function MoreMenu({ label, actions, className }: MoreMenuProps) {
  return (
    <OnDemand
      load={ActionMenu.load}
      byArrow
      floating={(trigger) => <ActionMenu actions={actions} trigger={trigger} />}
    >
      {(handlers) => (
        <IconButton
          icon={Ellipsis}
          size="sm"
          className={className}
          label={label}
          aria-haspopup="menu"
          {...handlers}
        />
      )}
    </OnDemand>
  );
}
