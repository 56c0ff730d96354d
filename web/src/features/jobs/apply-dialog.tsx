// 'Apply for ...': notes, consequences and, if the employer takes applications on its own site, a link to it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { type SyntheticEvent, useId, useState } from 'react';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { keyPerBody } from '@/api/idempotency';
import { applicationsQuery } from '@/api/queries';
import type { Job } from '@/api/types';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { textDraft, useDraft } from '@/session/drafts';
import { Button, buttonClass } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { TextArea } from '@/ui/field';
import { toast } from '@/ui/toast';
import { webAddress } from '@/web-address';
import { hostOf, openInNewTab } from './employer-site';
import { jobApplied, postingsChanged } from './jobs-cache';
import { Monogram } from './monogram';
import { notesAtMost } from './notes';

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
  /** The application is stored, but the browser blocked the new tab: the dialog shows a link to the employer. */
  const [kept, setKept] = useState(false);
  const address = webAddress(job.externalUrl);
  const apply = useMutation({
    mutationFn: () => {
      const body = { notes: notes.trim() };
      const params = { path: { id: job.id } };
      return read(
        api.POST('/api/jobs/{id}/apply', { params, body, headers: { 'Idempotency-Key': keyOf(body) } }),
      );
    },
    onSuccess: (application) => {
      setNotes('');
      jobApplied(queryClient, application);
      toast({
        title: t('submitted'),
        description: t('submittedText', { title: job.title }),
        variant: 'success',
      });
      if (address && !openInNewTab(address)) setKept(true);
      else onClose();
    },
    onError: (error) => {
      toast({
        title: t('applyFailed'),
        description: (error instanceof ApiError && error.sentence) || t('applyFailedText'),
        variant: 'destructive',
      });
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
  const consequence = kept
    ? t('keptText')
    : address
      ? t('externalHint', { site: hostOf(address) })
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
            {t(kept ? 'shell:close' : 'shell:cancel')}
          </Button>
          {kept && address ? (
            <a
              href={address}
              target="_blank"
              rel="noopener nofollow"
              className={buttonClass()}
              onClick={onClose}
            >
              <ExternalLink className="icon-sm" aria-hidden="true" />
              {t('toSite')}
            </a>
          ) : (
            <Button type="submit" form={id} busy={apply.isPending} busyLabel={t('submitting')}>
              {t('submit')}
            </Button>
          )}
        </>
      }
    >
      <Summary job={job} />
      <form id={id} onSubmit={submit} className="mt-4">
        {!kept && (
          <TextArea
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
        )}
      </form>
      <p className="mt-4 flex items-start gap-2 text-ui text-pretty wrap-anywhere" aria-hidden="true">
        {address && <ExternalLink className="icon-sm mt-0.5 text-muted-foreground" aria-hidden="true" />}
        <span>{consequence}</span>
      </p>
    </Dialog>
  );
}

/** Employer and deadline. */
function Summary({ job: { company, location, employmentType, applicationDeadline } }: { job: Job }) {
  const { t, i18n } = useTranslation('jobs');
  const deadline = formatDate(i18n.language, applicationDeadline);
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
