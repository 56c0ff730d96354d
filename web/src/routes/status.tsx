// The sources of jobs and news with their status; public.
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '@/api/queries';
import type { Status } from '@/api/schema.gen';
import { SourceList, SourceSkeletons } from '@/features/status/source-list';
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

/** The state of all sources in one sentence. */
function Summary({ status: { jobs, news } }: { status: Status }) {
  const { t } = useTranslation('status');
  const sources = [...(jobs ?? []), ...(news ?? [])];
  const count = sources.filter(({ state }) => state === 'failing').length;
  // Empty while a source was never visited or a service is unavailable.
  const well = jobs && news && sources.length > 0 && sources.every(({ state }) => state === 'healthy');
  if (count === 0 && !well) return null;
  return <p className="mb-4 text-body text-pretty">{count > 0 ? t('failing', { count }) : t('well')}</p>;
}
