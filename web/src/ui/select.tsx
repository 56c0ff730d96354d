// A select in the style of a field; its list loads on first use.
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazy } from './lazy';
import { OnDemand } from './on-demand';

export interface SelectProps<Value extends string> {
  /** The accessible name. */
  label: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  /** `field` is 40 px high with an outline; `inline` is bold text with an arrow (the feed's sort). */
  look?: 'field' | 'inline';
  /** The edge at which list and control align; `inline` ones mostly align at the end. */
  align?: 'start' | 'end';
  className?: string;
}

const SelectList = lazy(async () => (await import('./select-list')).SelectList);

const looks = {
  field: 'input inline-flex items-center justify-between gap-2',
  inline: 'reach inline-flex items-center gap-1 rounded-xs text-caption font-semibold',
};

/** Radix refuses the empty string as a value: use a name, for example `all`, for the choice of everything. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
  look = 'field',
  align = look === 'inline' ? 'end' : 'start',
  className = '',
}: SelectProps<Value>) {
  const chosen = options.find((option) => option.value === value);
  return (
    <OnDemand
      load={SelectList.load}
      byArrow
      floating={(trigger) => (
        <SelectList
          trigger={trigger}
          options={options}
          value={value}
          onChange={(next) => onChange(next as Value)}
          align={align}
        />
      )}
    >
      {(handlers) => (
        <button
          type="button"
          // biome-ignore lint/a11y/useAriaPropsForRole: aria-expanded is among the handlers, or set by Radix.
          role="combobox"
          aria-label={label}
          aria-autocomplete="none"
          className={`${looks[look]} ${className}`}
          {...handlers}
        >
          <span className="truncate">{chosen?.label}</span>
          <ChevronDown className={`icon-sm ${look === 'field' ? 'text-muted-foreground' : ''}`} />
        </button>
      )}
    </OnDemand>
  );
}
