// The toast of a failed mutation between two members.
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/error';
import type { Texts } from '@/i18n/texts';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

type Failure = Extract<keyof Texts['network'], `${string}Failed`>;

/** Refusals of the server that have a text in both languages. */
const refusalTexts = new Map([
  ['CONNECTION_REQUESTS_OF_DAY', 'requestsOfDay'],
  ['CONNECTION_REQUESTS_WAITING', 'requestsWaiting'],
] as const);

/** The reason of a failed request to connect. Needs the texts of `network`. */
export function useReasonOf() {
  const { t } = useTranslation('network');
  return (error: Error) => {
    if (!(error instanceof ApiError)) return error.message;
    const known = refusalTexts.get(error.code as 'CONNECTION_REQUESTS_OF_DAY');
    return known ? `${error.status}: ${t(known)}` : error.message;
  };
}

/** A toast with 'Error' and the reason. Needs the texts of `network`. */
export function useShowFailure() {
  const { t } = useTranslation(['network', 'shell']);
  const queryClient = useQueryClient();
  const reasonOf = useReasonOf();
  return (failure: Failure, error: Error) => {
    const message = reasonOf(error);
    toast({ title: t('shell:error'), description: t(failure, { message }), variant: 'destructive' });
    // The cached state is outdated: refetches the connection and the requests.
    if (error instanceof ApiError && [404, 409].includes(error.status))
      void queryClient.invalidateQueries({ queryKey: ['/api/connections'] });
  };
}
