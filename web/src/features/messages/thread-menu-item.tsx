// An item of the menu of a thread: an icon and a text that may wrap.
import type { LucideIcon } from 'lucide-react';
import { MenuItem } from '@/ui/menu';

interface ThreadMenuItemProps {
  icon: LucideIcon;
  onSelect: () => void;
  children: string;
}

export function ThreadMenuItem({ icon: Icon, onSelect, children }: ThreadMenuItemProps) {
  return (
    <MenuItem onSelect={onSelect}>
      <Icon className="icon-sm text-muted-foreground" />
      <span className="min-w-0 py-2 wrap-anywhere">{children}</span>
    </MenuItem>
  );
}
