// The fields of jurisdictions and interests: a select that adds a chip, and a chip for each interest.
import { X } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { SelectField } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { interestsAtMost, jurisdictionsAtMost, useFocus } from './focus';

interface FieldProps {
  value: readonly string[];
  onChange: (codes: string[]) => void;
  error?: string;
}

export function JurisdictionsField({ value, onChange, error }: FieldProps) {
  const { t } = useTranslation('focus');
  const { jurisdictions, jurisdictionName } = useFocus();
  return (
    <div className="min-w-0">
      <SelectField
        label={t('jurisdictions')}
        hint={t('chooseHint', { count: jurisdictionsAtMost })}
        error={error}
        value=""
        disabled={value.length >= jurisdictionsAtMost}
        onChange={({ target }) => onChange([...value, target.value])}
      >
        <option value="">{t('choose')}</option>
        {jurisdictions
          .filter((code) => !value.includes(code))
          .map((code) => (
            <option key={code} value={code}>
              {jurisdictionName(code)}
            </option>
          ))}
      </SelectField>
      {value.length > 0 && (
        <ul className="mt-2.5 flex flex-wrap gap-2">
          {value.map((code) => {
            const name = jurisdictionName(code) ?? code;
            return (
              <li
                key={code}
                className="inline-flex items-center gap-1 rounded-md border bg-muted pl-2.5 text-caption font-medium"
              >
                {name}
                <IconButton
                  icon={X}
                  glyph="icon-sm"
                  size="sm"
                  label={t('remove', { name })}
                  onClick={() => onChange(value.filter((other) => other !== code))}
                />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

export function InterestsField({ value, onChange, error }: FieldProps) {
  const { t } = useTranslation('focus');
  const id = useId();
  const { interests, interestName } = useFocus();
  const isFull = value.length >= interestsAtMost;
  const set = (code: string, on: boolean) =>
    onChange(on ? [...value, code] : value.filter((other) => other !== code));
  return (
    <fieldset className="min-w-0" aria-describedby={`${id}-hint`}>
      <legend className="label">{t('interests')}</legend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {interests.map((code) => (
          <label
            key={code}
            className="relative inline-flex min-h-8 cursor-pointer items-center rounded-md border bg-card px-2.5 text-caption font-medium text-muted-foreground has-checked:border-primary has-checked:bg-selected has-checked:text-foreground has-disabled:cursor-not-allowed has-disabled:opacity-50 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
          >
            <input
              type="checkbox"
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
              checked={value.includes(code)}
              disabled={isFull && !value.includes(code)}
              onChange={({ target }) => set(code, target.checked)}
            />
            {interestName(code)}
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className="mt-1.5 text-caption text-muted-foreground">
        {t('interestsHint', { count: interestsAtMost })}
      </p>
      {error && (
        <p role="alert" className="mt-1 text-caption text-destructive-text">
          {error}
        </p>
      )}
    </fieldset>
  );
}
