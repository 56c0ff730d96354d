// The open menu of a three-dot button.
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { ActionItem, Menu } from './menu';

export interface MenuAction {
  icon: LucideIcon;
  label: string;
  /** Runs once the menu has closed. */
  act: () => void;
}

interface ActionMenuProps {
  actions: readonly MenuAction[];
  trigger: ReactElement;
  align?: 'start' | 'end';
}

export function ActionMenu({ actions, trigger, align }: ActionMenuProps) {
  return (
    <Menu trigger={trigger} align={align} defaultOpen className="max-w-80 min-w-52">
      {actions.map(({ icon, label, act }) => (
        <ActionItem key={label} icon={icon} act={act}>
          {label}
        </ActionItem>
      ))}
    </Menu>
  );
}
