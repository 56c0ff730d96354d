// Refresh: every source is asked now, and the list starts anew at page 1 (specification, section 4, News).
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { newsSourcesQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

export function useRefresh() {
  const { t } = useTranslation('news');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => read(api.POST('/api/news/refresh')),
    onSuccess: ({ newArticles }) =>
      toast({
        title: t('refreshed'),
        description: newArticles > 0 ? t('newArticles', { count: newArticles }) : t('nothingNew'),
        variant: 'success',
      }),
    onError: () =>
      toast({ title: t('refreshFailed'), description: t('refreshFailedText'), variant: 'destructive' }),
    // Also after a failure: what came since the page was opened is known to the server all the same.
    onSettled: () => {
      void queryClient.resetQueries({ queryKey: ['/api/news'] });
      // The first real articles take the made up ones' source out of the list.
      void queryClient.invalidateQueries(newsSourcesQuery);
    },
  });
}
