// A segmented control for a short choice: radio buttons in a row.
import { type ReactNode, useId } from 'react';

type Name = { label: string; labelledBy?: never } | { label?: never; labelledBy: string };

type SegmentedProps<Value extends string> = Name & {
  options: readonly { value: Value; label: ReactNode }[];
  /** Null: none is chosen yet. */
  value: Value | null;
  onChange: (value: Value) => void;
};

export function Segmented<Value extends string>({
  label,
  labelledBy,
  options,
  value,
  onChange,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-labelledby={labelledBy}
      className="inline-flex rounded-md bg-muted p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative cursor-pointer whitespace-nowrap rounded-sm px-2.5 py-1 text-caption font-medium text-muted-foreground has-checked:bg-card has-checked:text-foreground has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-ring"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
