// The entries of a tab, the add button, and the errors of the whole list.
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { useFormText } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/icon-button';
import type { ExperienceForm, ProfileForm, StudyForm } from './form';

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
        <Plus className="icon-sm" />
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

interface Entries<Name extends 'experiences' | 'education'> {
  name: Name;
  empty: Name extends 'experiences' ? ExperienceForm : StudyForm;
}

/** Adds, removes and moves entries; the focus and a live region follow. */
function useEntries<Name extends 'experiences' | 'education'>({ name, empty }: Entries<Name>) {
  const { t } = useTranslation('profile');
  const { control } = useFormContext<ProfileForm>();
  // The entries have an `id` field of their own.
  const list = useFieldArray<ProfileForm, Name, 'key'>({ control, name, keyName: 'key' });
  const adder = useRef<HTMLButtonElement>(null);
  const [said, setSaid] = useState('');

  return {
    fields: list.fields,
    adder,
    /** For a live region. */
    said,
    add: () => list.append(empty as never),
    remove: (position: number) => {
      list.remove(position);
      adder.current?.focus();
    },
    move: (position: number, to: number, label: string) => {
      // Moving an element in the document removes the focus from the button inside it.
      const pressed = document.activeElement;
      flushSync(() => list.move(position, to));
      if (pressed instanceof HTMLElement) pressed.focus();
      setSaid(t('entry.moved', { name: label, position: to + 1, count: list.fields.length }));
    },
  };
}

interface EntryProps {
  /** Its name in the heading and in the labels of the buttons. */
  name: string;
  position: number;
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
  children: ReactNode;
}

/** One position or course of study in the form: a heading with buttons, and the fields. */
function Entry({ name, position, count, onMove, onRemove, children }: EntryProps) {
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
              {/* Not disabled: a button that becomes disabled while pressed loses the focus. */}
              <IconButton
                icon={ArrowUp}
                glyph="icon-sm"
                label={t('entry.up', { name })}
                aria-disabled={position === 0 || undefined}
                onClick={() => position > 0 && onMove(position - 1)}
              />
              <IconButton
                icon={ArrowDown}
                glyph="icon-sm"
                label={t('entry.down', { name })}
                aria-disabled={position === count - 1 || undefined}
                onClick={() => position < count - 1 && onMove(position + 1)}
              />
            </>
          )}
          <IconButton icon={X} glyph="icon-sm" label={t('entry.remove', { name })} onClick={onRemove} />
        </div>
      </div>
      <div className="grid grid-cols-2 gap-4">{children}</div>
    </fieldset>
  );
}
