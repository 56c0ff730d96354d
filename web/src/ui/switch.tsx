// A switch with its name and description on the left; it applies at once.
import { useId } from 'react';

interface SwitchProps {
  label: string;
  /** A description in one sentence. */
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="relative flex items-start justify-between gap-4 py-3">
      <div className="min-w-0">
        {/* The label covers the whole row as click target. */}
        <label htmlFor={id} className="text-ui font-medium after:absolute after:inset-0 after:cursor-pointer">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-caption text-pretty text-muted-foreground">
          {hint}
        </p>
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-describedby={`${id}-hint`}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="relative h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full bg-input transition-colors duration-(--duration-fast) before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-card before:transition-transform before:duration-(--duration-fast) checked:bg-primary checked:before:translate-x-4"
      />
    </div>
  );
}
