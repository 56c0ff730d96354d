// Retries posts of a community just joined, until feed knows of the membership.
import { ApiError } from './error';

/**
 * Options of a read or a write that needs a membership of the feed's: it hears of one within two seconds of the joining,
 * and refuses until then.
 */
export const onceHeard = {
  retry: (failures: number, error: Error) =>
    error instanceof ApiError && error.status === 403 && failures < 5,
  retryDelay: 500,
};
