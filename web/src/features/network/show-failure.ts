// The toast of a failed mutation between two members.
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/error';
import type { Texts } from '@/i18n/texts';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

type Failure = Extract<keyof Texts['network'], `${string}Failed`>;

/** A toast with 'Error' and the reason. Needs the texts of `network`. */
export function useShowFailure() {
  const { t } = useTranslation(['network', 'shell']);
  const queryClient = useQueryClient();
  return (failure: Failure, error: Error) => {
    const { message } = error;
    toast({ title: t('shell:error'), description: t(failure, { message }), variant: 'destructive' });
    // The cached state is outdated: refetches the connection and the requests.
    if (error instanceof ApiError && [404, 409].includes(error.status))
      void queryClient.invalidateQueries({ queryKey: ['/api/connections'] });
  };
}
