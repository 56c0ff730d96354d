// Errors of a refused login or registration, at the fields and as a toast (specification, section 8).
import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { ApiError } from '@/api/error';
import { isStepUpDeclined } from '@/api/step-up';

/** The server's sentence; null if the response has none; `unreadable` if no response could be read. */
export function refusal(error: unknown): { sentence: string | null; unreadable: boolean } {
  if (!(error instanceof ApiError)) return { sentence: null, unreadable: true };
  return { sentence: error.sentence, unreadable: !error.readable };
}

/** The text of a failed change of the account; null if the member closed the question for a proof. */
export const whyRefused = (error: unknown, otherwise: string): string | null =>
  isStepUpDeclined(error) ? null : (refusal(error).sentence ?? otherwise);

/** Shows the server's `fields` at their fields and focuses the first one. */
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
