// Radio buttons with a sentence each: who may do something.
import { useId } from 'react';

interface AudienceChoiceProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; label: string; hint: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

export function AudienceChoice<Value extends string>({
  legend,
  options,
  value,
  onChange,
}: AudienceChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="text-ui font-semibold">{legend}</legend>
      <div className="mt-1 divide-y">
        {options.map((option) => (
          <div key={option.value} className="relative flex items-start gap-3 py-3">
            <input
              id={`${id}-${option.value}`}
              type="radio"
              name={id}
              className="relative z-1 mt-0.5 size-[1.125rem] shrink-0 cursor-pointer accent-(--primary)"
              checked={option.value === value}
              aria-describedby={`${id}-${option.value}-hint`}
              onChange={() => onChange(option.value)}
            />
            <div className="min-w-0">
              {/* The label covers the whole row as click target. */}
              <label
                htmlFor={`${id}-${option.value}`}
                className="text-ui font-medium after:absolute after:inset-0 after:cursor-pointer"
              >
                {option.label}
              </label>
              <p id={`${id}-${option.value}-hint`} className="text-caption text-pretty text-muted-foreground">
                {option.hint}
              </p>
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
