// A select that looks like a field, over Radix.
import { getNonce } from 'get-nonce';
import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface SelectProps<Value extends string> {
  /** The accessible name. */
  label: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  /** `field` is 40 px high with an outline; `inline` is bold text with an arrow (the feed's sort). */
  look?: 'field' | 'inline';
  /** Which edge of the list stands under that of the control; `inline` ones mostly stand at the right. */
  align?: 'start' | 'end';
  className?: string;
}

const looks = {
  field: 'input inline-flex items-center justify-between gap-2',
  inline: 'reach inline-flex items-center gap-1 rounded-xs text-caption font-semibold',
};

/** Radix refuses the empty string as a value: name the choice that means everything, for instance `all`. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
  look = 'field',
  align = look === 'inline' ? 'end' : 'start',
  className = '',
}: SelectProps<Value>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <Radix.Trigger aria-label={label} className={`${looks[look]} ${className}`}>
        <span className="truncate">
          <Radix.Value />
        </span>
        <ChevronDown
          className={`icon-sm ${look === 'field' ? 'text-muted-foreground' : ''}`}
          aria-hidden="true"
        />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          align={align}
          sideOffset={6}
          collisionPadding={12}
          // It may belong to a control of a dialog, so it stands above dialogs.
          className="floating animate-float z-(--z-tooltip) max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-(--radix-select-content-available-width) p-1.5"
        >
          <Radix.Viewport nonce={getNonce()}>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className="menu-item">
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className="ml-auto pl-3">
                  <Check className="icon-sm text-gold-text" aria-hidden="true" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
