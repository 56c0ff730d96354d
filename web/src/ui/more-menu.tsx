// Three-dot buttons whose menu loads on first use.
import { Ellipsis } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { MenuAction } from './action-menu';
import { IconButton } from './icon-button';
import { lazy } from './lazy';
import { OnDemand } from './on-demand';

const ActionMenu = lazy(async () => (await import('./action-menu')).ActionMenu);

interface MoreButtonProps extends Omit<ComponentProps<typeof OnDemand>, 'children'> {
  /** The name of the button. */
  label: string;
  size?: 'sm' | 'md';
  className?: string;
}

/** The button of a menu of its own. */
export function MoreButton({ label, size, className, ...menu }: MoreButtonProps) {
  return (
    <OnDemand {...menu}>
      {(handlers) => (
        <IconButton
          icon={Ellipsis}
          size={size}
          className={className}
          label={label}
          aria-haspopup="menu"
          {...handlers}
        />
      )}
    </OnDemand>
  );
}

interface MoreMenuProps {
  label: string;
  actions: readonly MenuAction[];
  className?: string;
}

export function MoreMenu({ actions, ...button }: MoreMenuProps) {
  return (
    <MoreButton
      {...button}
      size="sm"
      load={ActionMenu.load}
      byArrow
      floating={(trigger) => <ActionMenu actions={actions} trigger={trigger} />}
    />
  );
}
