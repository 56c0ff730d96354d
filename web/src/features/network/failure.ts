// Why a change between two members failed.
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/error';
import { useTranslation } from '@/i18n/use-translation';

/** Refusals of the server that have a text in both languages. */
const refusalTexts = new Map([
  ['CONNECTION_REQUESTS_OF_DAY', 'requestsOfDay'],
  ['CONNECTION_REQUESTS_WAITING', 'requestsWaiting'],
] as const);

/** The reason of a failed request to connect. */
export function useReasonOf() {
  const { t } = useTranslation('network');
  return (error: Error) => {
    if (!(error instanceof ApiError)) return error.message;
    const known = refusalTexts.get(error.code as 'CONNECTION_REQUESTS_OF_DAY');
    return known ? `${error.status}: ${t(known)}` : error.message;
  };
}

/** Refetches the connection and the requests after a refusal that shows that the cached ones are outdated. */
export function refetchOutdated(queryClient: QueryClient, error: Error): void {
  if (error instanceof ApiError && [404, 409].includes(error.status))
    void queryClient.invalidateQueries({ queryKey: ['/api/connections'] });
}
