// The sources of jobs and news with their status; public.
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '@/api/queries';
import { SourceList, SourceSkeletons } from '@/features/status/source-list';
import { Summary } from '@/features/status/summary';
import { useTranslation } from '@/i18n/use-translation';
import { ErrorPanel } from '@/ui/error-panel';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('status');
  const { data: status, isError, refetch } = useQuery(statusQuery);
  const again = () => void refetch();
  return (
    <Page width="reading">
      <PageMeta page="status" />
      <PageHeading title={t('title')} lead={t('lead')} />
      {isError ? (
        <ErrorPanel onRetry={again}>{t('failed')}</ErrorPanel>
      ) : status ? (
        <>
          <Summary status={status} />
          <div className="space-y-4">
            <SourceList of="jobs" sources={status.jobs} onRetry={again} />
            <SourceList of="news" sources={status.news} onRetry={again} />
          </div>
        </>
      ) : (
        <SourceSkeletons />
      )}
    </Page>
  );
}
