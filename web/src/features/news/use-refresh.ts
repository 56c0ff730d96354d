// Refresh: fetches every source and restarts the list at page 1 (specification, section 4, News).
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { newsSourcesQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';

export function useRefresh() {
  const { t } = useTranslation('news');
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: () => read(api.POST('/api/news/refresh')),
    done: ({ newArticles }) => ({
      title: t('refreshed'),
      description: newArticles > 0 ? t('newArticles', { count: newArticles }) : t('nothingNew'),
    }),
    failed: () => ({ title: t('refreshFailed'), description: t('refreshFailedText') }),
    // Also after a failure: the server may have articles that are newer than the page.
    onSettled: () => {
      void queryClient.resetQueries({ queryKey: ['/api/news'] });
      // The first real articles remove the source of the samples from the list.
      void queryClient.invalidateQueries(newsSourcesQuery);
    },
  });
}
