// A session that is not fresh is asked for the password before it may do what opens or closes an account.
import { ApiError } from '@/api/error';

/** The password was missing or wrong: ask for it. */
export function asksForPassword(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'PASSWORD_REQUIRED' || error.code === 'PASSWORD_WRONG');
}

/** What the server says about the password that was given; undefined when it only wants one. */
export function aboutPassword(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const wrong = error.code === 'PASSWORD_WRONG' ? (error.sentence ?? undefined) : undefined;
  return error.fields.password ?? wrong;
}
