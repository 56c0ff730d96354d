// Adds, removes and moves entries; the focus and a live region follow.
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { useTranslation } from '@/i18n/use-translation';
import type { ExperienceForm, ProfileForm, StudyForm } from './form';

export interface Entries<Name extends 'experiences' | 'education'> {
  name: Name;
  empty: Name extends 'experiences' ? ExperienceForm : StudyForm;
}

export function useEntries<Name extends 'experiences' | 'education'>({ name, empty }: Entries<Name>) {
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
