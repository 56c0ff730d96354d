// A menu below its button: plain items, items that are on or off, or one choice of several.
import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { createContext, type FocusEvent, type ReactNode, use, useRef } from 'react';
import { OpenedByKey } from './on-demand';

interface MenuProps {
  /** One button. */
  trigger: ReactNode;
  /** A line of small text above the items. */
  heading?: ReactNode;
  align?: 'start' | 'end';
  className?: string;
  defaultOpen?: boolean;
  children: ReactNode;
}

/** Takes the action that runs once the menu has closed. */
const Chosen = createContext<(act: () => void) => void>(() => undefined);

export function Menu({
  trigger,
  heading,
  align = 'end',
  className = 'min-w-52',
  defaultOpen,
  children,
}: MenuProps) {
  const comeByKey = useFocusFirstItem();
  const chosen = useRef<(() => void) | null>(null);
  return (
    <Radix.Root defaultOpen={defaultOpen} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {/* Inside the screen, so that the menu is within a landmark. */}
      <Radix.Portal container={document.getElementById('main')}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={() => {
            const act = chosen.current;
            chosen.current = null;
            act?.();
          }}
          {...(defaultOpen && { onFocus: comeByKey })}
          className={`floating animate-float max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto p-1.5 ${className}`}
        >
          {heading && (
            <Radix.Label className="px-2.5 pt-1.5 pb-1 text-micro text-muted-foreground">
              {heading}
            </Radix.Label>
          )}
          <Chosen
            value={(act) => {
              chosen.current = act;
            }}
          >
            {children}
          </Chosen>
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

interface MenuItemProps {
  /** Runs at once. */
  onSelect?: () => void;
  /** Runs once the menu has closed and returned the focus to its button, so that a dialog can return it there too. */
  act?: () => void;
  disabled?: boolean;
  children: ReactNode;
}

export function MenuItem({ onSelect, act, disabled, children }: MenuItemProps) {
  const choose = use(Chosen);
  return (
    <Radix.Item className="menu-item" onSelect={act ? () => choose(act) : onSelect} disabled={disabled}>
      {children}
    </Radix.Item>
  );
}

interface ActionItemProps extends Omit<MenuItemProps, 'disabled'> {
  icon: LucideIcon;
  children: string;
}

/** An item with its icon; a long label wraps. */
export function ActionItem({ icon: Icon, children, ...item }: ActionItemProps) {
  return (
    <MenuItem {...item}>
      <Icon className="icon-sm text-muted-foreground" />
      <span className="min-w-0 py-2 wrap-anywhere">{children}</span>
    </MenuItem>
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
