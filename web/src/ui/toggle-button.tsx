// A button with two labels that is always as wide as the longer one, so that a press moves nothing beside it.
import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps, Face } from './button';

interface Label {
  icon: LucideIcon;
  label: string;
}

interface ToggleButtonProps extends Omit<ButtonProps, 'children' | 'busyLabel'> {
  isOn: boolean;
  /** Shown while on: the action that ends the state. */
  on: Label;
  off: Label;
}

export function ToggleButton({ isOn, on, off, ...rest }: ToggleButtonProps) {
  return (
    <Button {...rest}>
      <span className="grid justify-items-center">
        {[on, off].map((one) => (
          <Face key={one.label} shown={(one === on) === isOn}>
            <one.icon className="icon-sm" aria-hidden="true" />
            {one.label}
          </Face>
        ))}
      </span>
    </Button>
  );
}
