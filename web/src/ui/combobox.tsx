// A text field with suggestions, a combobox of the ARIA pattern: any text is allowed.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { TextField } from './field';

interface ComboboxProps {
  label: string;
  error?: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  /** The suggestions for the value, best first. */
  options: readonly string[];
  onFocus?: () => void;
  fieldClassName?: string;
  ref?: (field: HTMLInputElement | null) => void;
}

export function Combobox({
  value,
  onChange,
  options,
  onFocus,
  fieldClassName = '',
  ...field
}: ComboboxProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  /** The index of the active option; -1 is the field. */
  const [at, setAt] = useState(-1);
  const shown = open && options.length > 0 && options[0] !== value;
  const active = shown ? options[at] : undefined;
  const list = useRef<HTMLDivElement>(null);
  const first = shown ? options[0] : undefined;

  // The list may open below the edge of the screen, and a phone has its keyboard there.
  useEffect(() => {
    if (first !== undefined) list.current?.scrollIntoView?.({ block: 'nearest' });
  }, [first]);
  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}-${at}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [at, id]);

  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const choose = (option: string) => {
    onChange(option);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Arrow keys and Enter also control the suggestions of an input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && shown) {
      // The dialog around the field stays open.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      choose(active);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!shown) return setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // In a circle: after the last option comes the field, then the first option.
      const places = options.length + 1;
      setAt(((at + 1 + step + places) % places) - 1);
    }
  };

  return (
    <div className={`relative ${fieldClassName}`}>
      <TextField
        {...field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        aria-activedescendant={active === undefined ? undefined : `${id}-${at}`}
        autoComplete="off"
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={onFocus}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {shown && (
        // The space below the list keeps it above the bottom bar at the end of a page.
        <div
          ref={list}
          className="pointer-events-none absolute top-full right-0 left-0 z-10 pt-1 pb-4 max-md:pb-[calc(var(--bottom-bar-height)+1rem)]"
        >
          <div
            id={id}
            role="listbox"
            aria-label={field.label}
            className="floating pointer-events-auto max-h-72 overflow-y-auto p-1.5 max-md:max-h-44"
          >
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
              <div
                key={option}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className={`flex min-h-9 cursor-pointer items-center rounded-sm px-2.5 py-1.5 text-ui wrap-anywhere ${index === at ? 'bg-hover' : 'hover:bg-hover'}`}
                // Keeps the focus in the field.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
              >
                {option}
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
