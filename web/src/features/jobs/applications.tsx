// 'My Applications': rows of one card with a status badge.
import { useQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { applicationsQuery } from '@/api/queries';
import type { JobApplication } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { Badge } from '@/ui/badge';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { Monogram } from './job-card';
import { JobSkeletons } from './job-list';

/** Specification, section 4, Job application: any other status is grey. */
const tones: Record<string, ComponentProps<typeof Badge>['tone']> = {
  applied: 'blue',
  interviewed: 'purple',
  offered: 'green',
};

export function Applications() {
  const { t } = useTranslation('jobs');
  const { data, isPending } = useQuery(applicationsQuery);
  if (isPending) return <JobSkeletons />;
  if (!data) return <ErrorPanel>{t('applicationsFailed')}</ErrorPanel>;
  return (
    <Card className="divide-y">
      {data.length === 0 ? (
        <Empty icon={ClipboardList} title={t('noApplications')} hint={t('noApplicationsHint')} />
      ) : (
        data.map((application) => <ApplicationRow key={application.id} application={application} />)
      )}
    </Card>
  );
}

function ApplicationRow({
  application: { job, notes, status, applicationDate },
}: {
  application: JobApplication;
}) {
  const { t, i18n } = useTranslation('jobs');
  const place = [job?.company, job?.location].filter(Boolean).join(' · ');
  return (
    <article className="flex items-start gap-4 p-4 md:items-center md:px-5">
      <Monogram company={job?.company ?? '§'} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <h2 className="text-ui font-semibold">{job?.title ?? t('gone')}</h2>
        <p className="text-caption text-muted-foreground">{place}</p>
        {notes && <p className="mt-1 text-caption text-pretty text-muted-foreground">{notes}</p>}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1.5">
        <Badge tone={tones[status] ?? 'grey'}>
          {t(`status.${status}` as 'status.applied', { defaultValue: status })}
        </Badge>
        <span className="text-micro text-muted-foreground">{formatDate(i18n.language, applicationDate)}</span>
      </div>
    </article>
  );
}
