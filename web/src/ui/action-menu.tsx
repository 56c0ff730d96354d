// The open menu of a three-dot button: its actions run once it has closed.
import type { LucideIcon } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import { Menu, MenuItem } from './menu';

export interface MenuAction {
  icon: LucideIcon;
  label: string;
  /** Runs once the menu has closed and returned the focus to its button, so that a dialog can return it there too. */
  act: () => void;
}

interface ActionMenuProps {
  actions: readonly MenuAction[];
  trigger: ReactElement;
  align?: 'start' | 'end';
}

export function ActionMenu({ actions, trigger, align }: ActionMenuProps) {
  const chosen = useRef<(() => void) | null>(null);
  return (
    <Menu
      trigger={trigger}
      align={align}
      defaultOpen
      className="max-w-80 min-w-52"
      onClosed={() => {
        const act = chosen.current;
        chosen.current = null;
        act?.();
      }}
    >
      {actions.map(({ icon, label, act }) => (
        <ActionItem
          key={label}
          icon={icon}
          onSelect={() => {
            chosen.current = act;
          }}
        >
          {label}
        </ActionItem>
      ))}
    </Menu>
  );
}

/** A menu item with its icon; a long label wraps. */
export function ActionItem({
  icon: Icon,
  onSelect,
  children,
}: {
  icon: LucideIcon;
  onSelect: () => void;
  children: string;
}) {
  return (
    <MenuItem onSelect={onSelect}>
      <Icon className="icon-sm text-muted-foreground" />
      <span className="min-w-0 py-2 wrap-anywhere">{children}</span>
    </MenuItem>
  );
}
