// A labelled form field with its error below (DESIGN.md, section 5, Field).
import { ChevronDown, CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

interface Labelled {
  label: ReactNode;
  /** The translated error; shown and linked if present. */
  error?: string;
  /** A line of help below the field. */
  hint?: ReactNode;
  /** Classes of the whole field, for its grid. */
  fieldClassName?: string;
}

interface TextFieldProps extends ComponentProps<'input'>, Labelled {
  /** A control inside the field's right edge. */
  trailing?: ReactNode;
}

export function TextField({
  label,
  error,
  hint,
  fieldClassName,
  trailing,
  className = '',
  ...rest
}: TextFieldProps) {
  const id = useId();
  const input = (
    <input
      id={id}
      // An address or a password has one direction.
      dir={!rest.type || rest.type === 'search' ? 'auto' : undefined}
      {...described(id, error, hint)}
      className={`input ${trailing ? 'pr-10' : ''} ${className}`}
      {...rest}
    />
  );
  return (
    <Field id={id} label={label} error={error} hint={hint} className={fieldClassName}>
      {trailing ? (
        <div className="relative">
          {input}
          {trailing}
        </div>
      ) : (
        input
      )}
    </Field>
  );
}

export function TextArea({
  label,
  error,
  hint,
  fieldClassName,
  className = '',
  ...rest
}: ComponentProps<'textarea'> & Labelled) {
  const id = useId();
  return (
    <Field id={id} label={label} error={error} hint={hint} className={fieldClassName}>
      <textarea
        id={id}
        dir="auto"
        {...described(id, error, hint)}
        className={`input ${className}`}
        {...rest}
      />
    </Field>
  );
}

/** A native select, for long lists; the options are its children. */
export function SelectField({
  label,
  error,
  hint,
  fieldClassName,
  className = '',
  ...rest
}: ComponentProps<'select'> & Labelled) {
  const id = useId();
  return (
    <Field id={id} label={label} error={error} hint={hint} className={fieldClassName}>
      <div className="relative">
        <select
          id={id}
          {...described(id, error, hint)}
          className={`input appearance-none pr-9 ${className}`}
          {...rest}
        />
        <ChevronDown className="icon-sm pointer-events-none absolute top-3 right-3 text-muted-foreground" />
      </div>
    </Field>
  );
}

export function Checkbox({ label, className = '', ...rest }: ComponentProps<'input'> & { label: ReactNode }) {
  return (
    <label className={`flex min-h-6 items-center gap-2.5 text-ui ${className}`}>
      <input type="checkbox" className="checkbox size-[1.125rem]" {...rest} />
      {label}
    </label>
  );
}

function Field({
  id,
  label,
  error,
  hint,
  className = '',
  children,
}: { id: string; children: ReactNode; className?: string } & Pick<Labelled, 'label' | 'error' | 'hint'>) {
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="label self-start">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-caption text-muted-foreground">
          {hint}
        </p>
      )}
      {error && (
        <p
          id={`${id}-error`}
          className="flex items-start gap-1.5 text-caption font-[450] text-destructive-text"
        >
          <CircleAlert className="mt-0.5 size-3.5 shrink-0 stroke-2" />
          {error}
        </p>
      )}
    </div>
  );
}

function described(id: string, error: string | undefined, hint: ReactNode) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return { 'aria-invalid': Boolean(error), 'aria-describedby': ids || undefined };
}
