// 'Apply for ...': the way to the employer's own site, if there is one, notes, files, and consequences.
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useId, useState } from 'react';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { keyPerBody } from '@/api/idempotency';
import { applicationsQuery } from '@/api/queries';
import type { Job, SentToEmployer } from '@/api/schema.gen';
import { formatDeadline } from '@/i18n/format-deadline';
import { useTranslation } from '@/i18n/use-translation';
import { textDraft } from '@/session/drafts';
import { useChange } from '@/session/use-change';
import { useDraft } from '@/session/use-draft';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { TextArea } from '@/ui/field';
import { webAddress } from '@/web-address';
import { type ChosenFiles, uploadFiles } from './application-file';
import { ChooseFiles } from './application-files';
import { hostOf } from './employer-site';
import { jobApplied, postingsChanged } from './jobs-cache';
import { Monogram } from './monogram';
import { notesAtMost } from './notes';
import { EmployerLink, SentQuestion } from './sent-to-employer';

interface ApplyDialogProps {
  job: Job;
  open: boolean;
  onClose: () => void;
}

export function ApplyDialog({ job, open, onClose }: ApplyDialogProps) {
  const { t } = useTranslation(['jobs', 'shell']);
  const id = useId();
  const queryClient = useQueryClient();
  const { value: notes, change: setNotes } = useDraft(`apply ${job.id}`, textDraft);
  const [keyOf] = useState(keyPerBody);
  const [sentToEmployer, setSentToEmployer] = useState<SentToEmployer>('not-yet');
  const [files, setFiles] = useState<ChosenFiles>({});
  const address = webAddress(job.externalUrl);
  const apply = useChange({
    mutationFn: async () => {
      const body = { notes: notes.trim(), ...(address && { sentToEmployer }) };
      const params = { path: { id: job.id } };
      const application = await read(
        api.POST('/api/jobs/{id}/apply', { params, body, headers: { 'Idempotency-Key': keyOf(body) } }),
      );
      return uploadFiles(application, files);
    },
    done: ({ failed }) => {
      if (failed.length === 0)
        return { title: t('submitted'), description: t('submittedText', { title: job.title }) };
      const files = failed.map((kind) => t(`file.${kind}`)).join(', ');
      return {
        title: t('filesMissing'),
        description: t('filesMissingText', { files }),
        variant: 'destructive',
      };
    },
    failed: (error) => ({
      title: t('applyFailed'),
      description: (error instanceof ApiError && error.sentence) || t('applyFailedText'),
    }),
    onSuccess: ({ application }) => {
      setNotes('');
      setFiles({});
      jobApplied(queryClient, application);
      onClose();
    },
    onError: (error) => {
      // Already applied, closed or deleted: a retry cannot succeed, and the screen is outdated.
      if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) return;
      onClose();
      void postingsChanged(queryClient);
      void queryClient.invalidateQueries(applicationsQuery);
    },
  });
  const close = () => {
    if (!apply.isPending) onClose();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!apply.isPending) apply.mutate();
  };
  const consequence = address
    ? [t('externalHint', { site: hostOf(address) }), job.applicationDeadline && t('reminderHint')]
        .filter(Boolean)
        .join(' ')
    : t('internalHint');

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={t('applyFor', { title: job.title })}
      description={consequence}
      footer={
        <>
          <Button variant="ghost" className="ml-auto" disabled={apply.isPending} onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" form={id} busy={apply.isPending} busyLabel={t('submitting')}>
            {t('submit')}
          </Button>
        </>
      }
    >
      {address && (
        <div className="mb-4 space-y-3.5">
          <EmployerLink address={address} />
          <SentQuestion value={sentToEmployer} onChange={setSentToEmployer} />
        </div>
      )}
      <Summary job={job} />
      <form id={id} onSubmit={submit} className="mt-4">
        <TextArea
          // Not the question above it: a key would answer that.
          data-initial-focus
          label={t('notes')}
          hint={t('notesHint')}
          maxLength={notesAtMost}
          rows={6}
          value={notes}
          onChange={({ target }) => setNotes(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
          }}
        />
        <ChooseFiles files={files} onChange={setFiles} />
      </form>
      <p className="mt-4 text-ui text-pretty wrap-anywhere" aria-hidden="true">
        {consequence}
      </p>
    </Dialog>
  );
}

/** Employer and deadline. */
function Summary({ job: { company, location, employmentType, applicationDeadline } }: { job: Job }) {
  const { t, i18n } = useTranslation('jobs');
  const deadline = formatDeadline(i18n.language, applicationDeadline);
  const facts = [
    location,
    employmentType && t(`option.${employmentType}`),
    deadline && t('applyBy', { date: deadline }),
  ];
  return (
    <div className="flex items-center gap-3.5 rounded-lg bg-muted p-4">
      <Monogram company={company} className="size-11 bg-card" />
      <div className="min-w-0 wrap-anywhere">
        <p className="text-ui font-semibold">{company}</p>
        <p className="text-caption text-muted-foreground">{facts.filter(Boolean).join(' · ')}</p>
      </div>
    </div>
  );
}
