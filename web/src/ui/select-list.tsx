// The list of a select around its button, based on Radix.
import { getNonce } from 'get-nonce';
import { Check } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ReactElement } from 'react';
import type { SelectProps } from './select';

interface SelectListProps
  extends Required<Pick<SelectProps<string>, 'options' | 'value' | 'onChange' | 'align'>> {
  trigger: ReactElement;
}

/** Open from the start: it loads when the member opens it. */
export function SelectList({ trigger, options, value, onChange, align }: SelectListProps) {
  return (
    <Radix.Root defaultOpen value={value} onValueChange={onChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          align={align}
          sideOffset={6}
          collisionPadding={12}
          // Above dialogs, because a dialog may contain it.
          className="floating animate-float z-(--z-tooltip) max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-(--radix-select-content-available-width) p-1.5"
        >
          <Radix.Viewport nonce={getNonce()}>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className="menu-item">
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className="ml-auto pl-3">
                  <Check className="icon-sm text-gold-text" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
