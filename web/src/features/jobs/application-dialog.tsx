// The dialog of an application: whether it was sent, notes, files, history, and the posting at the time of the application.
import { useQuery } from '@tanstack/react-query';
import { Archive } from 'lucide-react';
import type { SyntheticEvent } from 'react';
import { Link } from 'react-router';
import { applicationQuery } from '@/api/queries';
import type { ApplicationStep, Job, JobApplication } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useDraft } from '@/session/use-draft';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { ErrorPanel } from '@/ui/error-panel';
import { TextArea } from '@/ui/field';
import { Loading } from '@/ui/skeleton';
import { toast } from '@/ui/toast';
import { useApplicationChange } from './application-change';
import { ApplicationFiles } from './application-files';
import { Facts, Kinds } from './job-facts';
import { Monogram } from './monogram';
import { notesAtMost, notesDraft } from './notes';
import { SentToEmployerSection } from './sent-to-employer';
import { StatusBadge } from './status-badge';

interface ApplicationDialogProps {
  application: JobApplication;
  open: boolean;
  onClose: () => void;
}

export function ApplicationDialog({ application, open, onClose }: ApplicationDialogProps) {
  const { t } = useTranslation('jobs');
  const { id, job } = application;
  const notes = useDraft(`application ${id}`, notesDraft);
  const keep = (text: string | null) => notes.change(text === (application.notes ?? '') ? null : text);
  return (
    <Dialog open={open} onOpenChange={onClose} title={job?.title ?? t('gone')} width="lg">
      <div className="space-y-5 pb-6">
        {job && <Employer job={job} />}
        <SentToEmployerSection application={application} />
        <ApplicationNotes application={application} draft={notes.value} onDraft={keep} />
        <ApplicationFiles application={application} />
        <Details id={id} />
      </div>
    </Dialog>
  );
}

function Employer({ job: { company, location, closedAt } }: { job: Job }) {
  const { t } = useTranslation('jobs');
  return (
    <div className="flex items-center gap-3.5 rounded-lg bg-muted p-4">
      <Monogram company={company} className="size-11 bg-card" />
      <div className="min-w-0 wrap-anywhere">
        <p className="text-ui font-semibold">{company}</p>
        {location && <p className="text-caption text-muted-foreground">{location}</p>}
        {closedAt && (
          <p className="mt-0.5 flex items-center gap-1.5 text-caption font-medium">
            <Archive className="icon-sm" />
            {t('closed')}
          </p>
        )}
      </div>
    </div>
  );
}

/** The details that the list does not contain. */
function Details({ id }: { id: string }) {
  const { t } = useTranslation('jobs');
  const { data: application, isPending, refetch } = useQuery(applicationQuery(id));
  if (isPending) return <DetailsSkeleton />;
  if (!application) return <ErrorPanel onRetry={() => void refetch()}>{t('detailsFailed')}</ErrorPanel>;
  const { job, jobId, history } = application;
  return (
    <>
      <section>
        <h3 className="text-subhead">{t('history')}</h3>
        <ol className="mt-2 space-y-2">
          {history.map((step) => (
            <Step key={`${step.at} ${step.status}`} step={step} />
          ))}
        </ol>
      </section>
      {job && (
        <section>
          <h3 className="text-subhead">{t('asItWas')}</h3>
          <div className="mt-2.5 space-y-2.5">
            <Kinds job={job} />
            <Facts job={job} posted />
            <p className="whitespace-pre-line text-ui wrap-anywhere">{job.description}</p>
            <Link to={paths.job(jobId)} className="link inline-block text-ui">
              {t('asItIs')}
            </Link>
          </div>
        </section>
      )}
    </>
  );
}

function Step({ step: { status, at } }: { step: ApplicationStep }) {
  const { i18n } = useTranslation();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={status} />
      <time dateTime={at} className="text-caption text-muted-foreground tabular-nums">
        {formatDate(i18n.language, at, { dateStyle: 'medium', timeStyle: 'short' })}
      </time>
    </li>
  );
}

function DetailsSkeleton() {
  return (
    <Loading
      className="space-y-3"
      bars={['h-4 w-24', 'h-[1.375rem] w-56 max-w-full', 'h-4 w-48', 'h-3.5 w-[95%]', 'h-3.5 w-4/5']}
    />
  );
}

interface ApplicationNotesProps {
  application: JobApplication;
  /** The edited text; null while the field shows the saved notes. */
  draft: string | null;
  onDraft: (draft: string | null) => void;
}

/** The member's own notes on an application, edited in place. */
function ApplicationNotes({ application, draft, onDraft }: ApplicationNotesProps) {
  const { t } = useTranslation('jobs');
  const saved = application.notes ?? '';
  const change = useApplicationChange(application.id);
  const text = draft ?? saved;
  const idle = text.trim() === saved.trim();

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (idle || change.isPending) return;
    change.mutate(
      { notes: text.trim() },
      {
        onSuccess: () => {
          onDraft(null);
          toast({ title: t('notesSaved'), variant: 'success' });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-col items-end gap-2.5">
      <TextArea
        fieldClassName="w-full"
        // Not the question above it: a key would answer that.
        data-initial-focus
        label={t('notes')}
        hint={t('notesHint')}
        maxLength={notesAtMost}
        rows={3}
        className="field-sizing-content max-h-60 min-h-20"
        value={text}
        onChange={({ target }) => onDraft(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      <Button type="submit" size="sm" aria-disabled={idle || change.isPending}>
        {t('saveNotes')}
      </Button>
    </form>
  );
}
