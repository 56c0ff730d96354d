// The entries of a tab, the add button, and the errors of the whole list.
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { useFormText } from '@/i18n/form-texts';
import { Button } from '@/ui/button';
import { Entry } from './entry';
import type { ProfileForm } from './form';
import { type Entries, useEntries } from './use-entries';

interface EntryListProps<Name extends 'experiences' | 'education'> extends Entries<Name> {
  /** The names of the entries, in order. */
  names: string[];
  /** The label of the button. */
  add: string;
  /** The fields of the entry at a position. */
  children: (position: number) => ReactNode;
}

export function EntryList<Name extends 'experiences' | 'education'>({
  name,
  empty,
  names,
  add,
  children,
}: EntryListProps<Name>) {
  const formText = useFormText();
  const { formState } = useFormContext<ProfileForm>();
  const entries = useEntries({ name, empty });
  const error = formText(formState.errors[name]?.root?.message);
  return (
    <div className="mt-5 space-y-4 pb-5">
      {entries.fields.map(({ key }, position) => {
        const called = names[position] ?? '';
        return (
          <Entry
            key={key}
            name={called}
            position={position}
            count={entries.fields.length}
            onMove={(to) => entries.move(position, to, called)}
            onRemove={() => entries.remove(position)}
          >
            {children(position)}
          </Entry>
        );
      })}
      <Button ref={entries.adder} variant="outline" className="w-full" onClick={entries.add}>
        <Plus className="icon-sm" aria-hidden="true" />
        {add}
      </Button>
      {error && (
        <p role="alert" className="text-caption text-destructive-text">
          {error}
        </p>
      )}
      <p className="sr-only" aria-live="polite">
        {entries.said}
      </p>
    </div>
  );
}
