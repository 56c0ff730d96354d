// A button that shows an icon alone.
import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from './button';

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'iconOnly'> {
  icon: LucideIcon;
  /** The accessible name. */
  label: string;
  glyph?: 'icon' | 'icon-sm';
}

export function IconButton({ icon: Icon, label, glyph = 'icon', ...rest }: IconButtonProps) {
  return (
    <Button variant="ghost" iconOnly aria-label={label} {...rest}>
      <Icon className={glyph} />
    </Button>
  );
}
