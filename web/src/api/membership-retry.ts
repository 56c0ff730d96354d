// Retries posts of a community just joined, until feed knows of the membership.
import { ApiError } from './error';

/**
 * Options of a query or mutation in feed that needs a membership. Feed learns of a membership within two seconds and
 * refuses the request until then.
 */
export const membershipRetry = {
  retry: (failures: number, error: Error) =>
    error instanceof ApiError && error.status === 403 && failures < 5,
  retryDelay: 500,
};
