// The controls above the articles: search, source filter, and Refresh.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { api, read } from '@/api/client';
import { newsSourcesQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { SearchField } from '@/ui/search-field';
import { Select } from '@/ui/select';

export interface NewsFilter {
  source?: string;
  search?: string;
}

/** The debounce of the search, in milliseconds, as for jobs. */
const searchPause = 300;

interface ControlsProps {
  filter: NewsFilter;
  onChange: (changed: NewsFilter) => void;
}

export function Controls({ filter, onChange }: ControlsProps) {
  const { t } = useTranslation('news');
  const { mutate, isPending } = useRefresh();
  return (
    <div className="mb-5 flex flex-wrap gap-2.5">
      <SearchField
        label={t('search')}
        className="min-w-0 max-md:w-full md:w-80"
        value={filter.search ?? ''}
        pause={searchPause}
        onSearch={(search) => onChange({ search })}
      />
      <SourceSelect chosen={filter.source} onChange={(source) => onChange({ source })} />
      <Button
        variant="outline"
        className="h-10 md:ml-auto"
        // Not `disabled`, so that the focus stays.
        aria-disabled={isPending}
        aria-busy={isPending}
        onClick={() => !isPending && mutate()}
      >
        <RefreshCw className={`icon-sm ${isPending ? 'animate-spin' : ''}`} />
        {t('refresh')}
      </Button>
    </div>
  );
}

/** The same value as in the API, so that it may be part of an address. */
const all = 'all';

interface SourceSelectProps {
  chosen?: string;
  /** '' for all sources. */
  onChange: (source: string) => void;
}

function SourceSelect({ chosen, onChange }: SourceSelectProps) {
  const { t } = useTranslation('news');
  const { data: sources = [] } = useQuery(newsSourcesQuery);
  const options = sources.map(({ source, sourceName }) => ({ value: source, label: sourceName }));
  // The source of the address is shown even if the list of sources is loading, failed, or lacks it.
  if (chosen && chosen !== all && !sources.some(({ source }) => source === chosen))
    options.push({ value: chosen, label: chosen });
  return (
    <Select<string>
      label={t('source')}
      className="max-md:w-auto! max-md:flex-1 md:w-48!"
      value={chosen ?? all}
      onChange={(source) => onChange(source === all ? '' : source)}
      options={[{ value: all, label: t('allSources') }, ...options]}
    />
  );
}

/** Fetches every source and restarts the list at page 1 (specification, section 4, News). */
function useRefresh() {
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
