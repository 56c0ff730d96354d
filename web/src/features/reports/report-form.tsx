// The report form: one of seven reasons, and an optional text.
import { useId, useState } from 'react';
import { api, read } from '@/api/client';
import { limits } from '@/api/limits.gen';
import type { Report, ReportReason } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { TextArea } from '@/ui/field';
import { SubmitDialog } from '@/ui/submit-dialog';

const reasons = [
  'spam',
  'harassment',
  'false-information',
  'impersonation',
  'privileged-information',
  'illegal',
  'other',
] as const satisfies ReportReason[];

const longestWords = limits.Report.words.max;

interface ReportFormProps {
  subject: Pick<Report, 'kind' | 'id'>;
  open: boolean;
  onClose: () => void;
}

export function ReportForm({ subject, open, onClose }: ReportFormProps) {
  const { t } = useTranslation('reports');
  const id = useId();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [words, setWords] = useState('');
  const [missing, setMissing] = useState(false);
  const report = useChange({
    mutationFn: (body: Report) => read(api.POST('/api/reports', { body })),
    done: () => ({ title: t('sent'), description: t('sentText') }),
    failed: ({ message }) => t('failed', { message }),
    onSuccess: onClose,
  });
  const submit = () => {
    if (!reason) setMissing(true);
    else if (!report.isPending) {
      const said = words.trim();
      report.mutate({ kind: subject.kind, id: subject.id, reason, ...(said && { words: said }) });
    }
  };
  return (
    <SubmitDialog
      open={open}
      onClose={onClose}
      dirty={reason !== null || words.trim() !== ''}
      busy={report.isPending}
      title={t(`title.${subject.kind}`)}
      description={t('about')}
      footerLine
      send={t('send')}
      sending={t('sending')}
      onSubmit={submit}
      className="space-y-4 pb-5"
    >
      <p className="text-ui text-pretty text-muted-foreground" aria-hidden="true">
        {t('about')}
      </p>
      <fieldset
        className="space-y-1"
        aria-invalid={missing && !reason}
        aria-describedby={missing && !reason ? `${id}-missing` : undefined}
      >
        <legend className="label mb-1.5">{t('reason')}</legend>
        {missing && !reason && (
          <p id={`${id}-missing`} role="alert" className="text-caption text-destructive-text">
            {t('reasonMissing')}
          </p>
        )}
        {reasons.map((one) => (
          <label
            key={one}
            className="flex min-h-10 cursor-pointer items-start gap-3 rounded-md px-2 py-2 hover:bg-hover"
          >
            <input
              type="radio"
              name={`${id}-reason`}
              className="mt-0.5 size-[1.125rem] shrink-0 scroll-mt-20 accent-(--primary)"
              checked={reason === one}
              onChange={() => setReason(one)}
            />
            <span className="text-ui">
              {t(`reasons.${one}`)}
              <span className="block text-caption text-muted-foreground">{t(`hints.${one}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextArea
        label={t('words')}
        rows={2}
        maxLength={longestWords}
        className="field-sizing-content min-h-16"
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
    </SubmitDialog>
  );
}
