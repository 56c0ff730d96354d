// What a refused sign-in or registration becomes: errors at fields, and the toast (specification, section 8).
import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { ApiError } from '@/api/error';

/** The server's sentence; null when it answered without one; `unreadable` when no answer could be read. */
export function refusal(error: unknown): { sentence: string | null; unreadable: boolean } {
  if (!(error instanceof ApiError)) return { sentence: null, unreadable: true };
  return { sentence: error.sentence, unreadable: !error.readable };
}

/** Shows the server's `fields` at the fields they belong to, and leads to the first of them. */
export function showFieldErrors<Form extends FieldValues>(
  error: unknown,
  names: readonly FieldPath<Form>[],
  setError: UseFormSetError<Form>,
): void {
  if (!(error instanceof ApiError)) return;
  const refused = names.filter((name) => error.fields[name]);
  for (const name of refused) {
    setError(name, { type: 'server', message: error.fields[name] }, { shouldFocus: name === refused[0] });
  }
}
