// An old session needs the password again for actions that affect access to the account.
import { ApiError } from '@/api/error';

/** The password was missing or wrong. */
export function requiresPassword(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'PASSWORD_REQUIRED' || error.code === 'PASSWORD_WRONG');
}

/** The server's sentence about a wrong password; undefined if the password is only required. */
export function passwordError(error: unknown): string | undefined {
  // The server names the field of a password that was not asked for yet; the prompt says so already.
  if (!(error instanceof ApiError) || error.code === 'PASSWORD_REQUIRED') return undefined;
  const wrong = error.code === 'PASSWORD_WRONG' ? (error.sentence ?? undefined) : undefined;
  return error.fields.password ?? wrong;
}
