// A menu below its button: plain items, items that are on or off, or one choice of several.
import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { type FocusEvent, type ReactNode, use, useRef } from 'react';
import { OpenedByKey } from './on-demand';

interface MenuProps {
  /** One button. */
  trigger: ReactNode;
  /** A line of small text above the items. */
  heading?: ReactNode;
  align?: 'start' | 'end';
  className?: string;
  defaultOpen?: boolean;
  /** The menu is closed and the focus is back on the button: a dialog that opens now returns the focus there. */
  onClosed?: () => void;
  children: ReactNode;
}

export function Menu({
  trigger,
  heading,
  align = 'end',
  className = 'min-w-52',
  defaultOpen,
  onClosed,
  children,
}: MenuProps) {
  const comeByKey = useFocusFirstItem();
  return (
    <Radix.Root defaultOpen={defaultOpen} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {/* Inside the screen, so that the menu is within a landmark. */}
      <Radix.Portal container={document.getElementById('main')}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={onClosed}
          {...(defaultOpen && { onFocus: comeByKey })}
          className={`floating animate-float max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto p-1.5 ${className}`}
        >
          {heading && (
            <Radix.Label className="px-2.5 pt-1.5 pb-1 text-micro text-muted-foreground">
              {heading}
            </Radix.Label>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * A menu that loads on first use misses the key that opened it and would focus itself. For a keyboard user, this focuses
 * the first item.
 */
function useFocusFirstItem() {
  const pending = useRef(use(OpenedByKey));
  return ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (!pending.current || target !== currentTarget) return;
    pending.current = false;
    currentTarget.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus();
  };
}

export function MenuItem({
  onSelect,
  disabled,
  children,
}: {
  onSelect: () => void;
  disabled?: boolean;
  children: ReactNode;
}) {
  return (
    <Radix.Item className="menu-item" onSelect={onSelect} disabled={disabled}>
      {children}
    </Radix.Item>
  );
}

interface MenuToggleProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A square item that is on or off. */
export function MenuToggle({ label, checked, onChange, children }: MenuToggleProps) {
  return (
    <Radix.CheckboxItem
      aria-label={label}
      title={label}
      checked={checked}
      onCheckedChange={onChange}
      className={`grid size-9 cursor-pointer place-items-center rounded-md -outline-offset-2 data-highlighted:bg-hover ${checked ? 'bg-gold/20' : ''}`}
    >
      {children}
    </Radix.CheckboxItem>
  );
}

interface MenuChoiceProps<Value extends string> {
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** The selected item has a gold check. */
export function MenuChoice<Value extends string>({ options, value, onChange }: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className="menu-item">
          {option.label}
          <Radix.ItemIndicator className="ml-auto">
            <Check className="icon-sm text-gold-text" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}
