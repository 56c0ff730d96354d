// 'Refresh Jobs', for every caller: fetches the sources and reports the number of new postings.
import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { api, read } from '@/api/client';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { postingsChanged } from './jobs-cache';

export function RefreshButton() {
  const { t } = useTranslation('jobs');
  const queryClient = useQueryClient();
  const refresh = useChange({
    mutationFn: () => read(api.POST('/api/jobs/refresh')),
    done: ({ newJobs }) => ({
      title: t('refreshed'),
      description: newJobs > 0 ? t('refreshedText', { count: newJobs }) : t('refreshedNone'),
    }),
    failed: () => ({ title: t('refreshFailed'), description: t('refreshFailedText') }),
    // Also without new postings: another caller may have refreshed a moment ago, and postings may be closed by now.
    onSuccess: () => postingsChanged(queryClient),
  });
  const { isPending } = refresh;
  return (
    <Button
      variant="outline"
      className="shrink-0 max-sm:w-9 max-sm:px-0"
      aria-label={t('refresh')}
      // Not `disabled`, so that the focus stays.
      aria-disabled={isPending}
      aria-busy={isPending}
      onClick={() => !isPending && refresh.mutate()}
    >
      <RefreshCw className={`icon-sm ${isPending ? 'animate-spin' : ''}`} />
      <span className="max-sm:hidden">{t('refresh')}</span>
    </Button>
  );
}
