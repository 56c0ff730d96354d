// One position or course of study in the form: a heading with buttons, and the fields.
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';

interface EntryProps {
  /** Its name in the heading and in the labels of the buttons. */
  name: string;
  position: number;
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
  children: ReactNode;
}

export function Entry({ name, position, count, onMove, onRemove, children }: EntryProps) {
  const { t } = useTranslation('profile');
  return (
    <fieldset className="min-w-0 rounded-lg border p-4">
      <legend className="sr-only">{name}</legend>
      <div className="mb-3 flex items-center justify-between gap-3">
        <p className="min-w-0 text-ui font-semibold wrap-anywhere" aria-hidden="true">
          {name}
        </p>
        <div className="-my-1.5 -mr-1.5 flex shrink-0">
          {count > 1 && (
            <>
              <IconButton
                label={t('entry.up', { name })}
                disabled={position === 0}
                onClick={() => onMove(position - 1)}
              >
                <ArrowUp className="icon-sm" />
              </IconButton>
              <IconButton
                label={t('entry.down', { name })}
                disabled={position === count - 1}
                onClick={() => onMove(position + 1)}
              >
                <ArrowDown className="icon-sm" />
              </IconButton>
            </>
          )}
          <IconButton label={t('entry.remove', { name })} onClick={onRemove}>
            <X className="icon-sm" />
          </IconButton>
        </div>
      </div>
      <div className="grid grid-cols-2 gap-4">{children}</div>
    </fieldset>
  );
}

interface IconButtonProps {
  label: string;
  /** Sets `aria-disabled`: a button that becomes `disabled` while pressed loses the focus. */
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function IconButton({ label, disabled, onClick, children }: IconButtonProps) {
  return (
    <Button
      variant="ghost"
      iconOnly
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onClick()}
    >
      {children}
    </Button>
  );
}
