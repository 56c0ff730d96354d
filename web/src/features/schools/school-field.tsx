// The field of a law school, with suggestions from the list; any other school can be entered.
import { useState } from 'react';
import { Combobox } from '@/ui/combobox';
import { loadSchools, matchingSchools, type School } from './schools';

interface SchoolFieldProps {
  label: string;
  hint?: string;
  error?: string;
  value: string;
  onChange: (value: string) => void;
  fieldClassName?: string;
  ref?: (field: HTMLInputElement | null) => void;
}

/** The list loads with the first focus. Without it, the field still accepts text. */
export function SchoolField({ value, ...field }: SchoolFieldProps) {
  const [schools, setSchools] = useState<School[]>([]);
  const load = () => {
    if (schools.length === 0) void loadSchools().then(setSchools, () => undefined);
  };
  return <Combobox {...field} value={value} options={matchingSchools(schools, value)} onFocus={load} />;
}
