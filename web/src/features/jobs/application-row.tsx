// An application in the list: posting, notes, status and date; the title opens its dialog, the menu changes its status.
import { Archive } from 'lucide-react';
import { useId } from 'react';
import type { JobApplication } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { lazy } from '@/ui/lazy';
import { MoreButton } from '@/ui/more-menu';
import { useOpening } from '@/ui/use-opening';
import { useShown } from './application-change';
import { FileLinks } from './application-files';
import { employerAndPlace } from './job-facts';
import { Monogram } from './monogram';
import { NotSent } from './sent-to-employer';
import { StatusBadge } from './status-badge';

const ApplicationMenu = lazy(async () => (await import('./application-menu')).ApplicationMenu);

const ApplicationDialog = lazy(async () => (await import('./application-dialog')).ApplicationDialog);

export function ApplicationRow({ application }: { application: JobApplication }) {
  const { t, i18n } = useTranslation('jobs');
  const id = useId();
  const details = useOpening();
  const { job, notes, status, applicationDate } = useShown(application);
  const title = job?.title ?? t('gone');
  return (
    <article aria-labelledby={id} className="flex items-start gap-3 p-4 sm:gap-4 md:items-center md:px-5">
      <Monogram company={job?.company ?? '§'} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <h2 id={id} className="text-ui font-semibold">
          <button
            type="button"
            aria-haspopup="dialog"
            className="cursor-pointer text-left hover:underline"
            onClick={details.open}
          >
            {title}
          </button>
        </h2>
        {job && <p className="text-caption text-muted-foreground">{employerAndPlace(job)}</p>}
        {job?.closedAt && (
          <p className="mt-1 flex items-center gap-1.5 text-caption font-medium">
            <Archive className="icon-sm" />
            {t('closed')}
          </p>
        )}
        <NotSent application={application} describedBy={id} />
        <FileLinks application={application} describedBy={id} />
        {notes && <p className="mt-1 line-clamp-3 text-caption text-pretty text-muted-foreground">{notes}</p>}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1.5">
        <StatusBadge status={status} />
        <time dateTime={applicationDate} className="text-micro text-muted-foreground">
          {formatDate(i18n.language, applicationDate)}
        </time>
      </div>
      <MoreButton
        size="sm"
        className="-mr-2 shrink-0"
        label={t('options', { title })}
        load={ApplicationMenu.load}
        floating={(trigger) => (
          <ApplicationMenu application={application} trigger={trigger} onDetails={details.open} />
        )}
      />
      {/* Stays mounted once opened, to preserve unsaved notes. */}
      {details.nr > 0 && (
        <ApplicationDialog application={application} open={details.isOpen} onClose={details.close} />
      )}
    </article>
  );
}
