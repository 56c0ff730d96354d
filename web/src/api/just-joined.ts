// What was joined a moment ago is asked for again, for as long as the feed may not have heard of it.
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
