// Whether the member sent the application on the employer's own site: the way there, the question, and the reminder in the list.
import { Check, CircleAlert, ExternalLink } from 'lucide-react';
import { useId } from 'react';
import type { JobApplication, SentToEmployer } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { formatDeadline } from '@/i18n/format-deadline';
import { useTranslation } from '@/i18n/use-translation';
import { buttonClass } from '@/ui/button';
import { Segmented } from '@/ui/segmented';
import { webAddress } from '@/web-address';
import { useApplicationChange, useShown } from './application-change';
import { hostOf } from './employer-site';

interface EmployerLinkProps {
  address: string;
  /** In a list: a link in the text. Otherwise it looks like a button. */
  inText?: boolean;
  /** The id of the element that names the posting, in a list. */
  describedBy?: string;
}

const textAction = 'link reach inline-flex min-h-6 items-center gap-1.5 text-left text-caption wrap-anywhere';

/** 'Apply at ...', in a new tab without access to this one. */
export function EmployerLink({ address, inText, describedBy }: EmployerLinkProps) {
  const { t } = useTranslation('jobs');
  return (
    <a
      href={address}
      aria-describedby={describedBy}
      target="_blank"
      rel="noopener nofollow"
      className={inText ? textAction : buttonClass({ variant: 'outline', className: 'max-w-full' })}
    >
      <ExternalLink className="icon-sm" />
      <span className={inText ? '' : 'truncate'}>{t('applyAt', { site: hostOf(address) })}</span>
    </a>
  );
}

interface SentQuestionProps {
  /** Null: the member has not said. */
  value: SentToEmployer | null;
  onChange: (value: SentToEmployer) => void;
}

export function SentQuestion({ value, onChange }: SentQuestionProps) {
  const { t } = useTranslation('jobs');
  const label = useId();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p id={label} className="text-ui font-medium">
        {t('sentQuestion')}
      </p>
      <Segmented
        labelledBy={label}
        options={(['yes', 'not-yet'] as const).map((answer) => ({
          value: answer,
          label: t(`sent.${answer}`),
        }))}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}

/** In the dialog of an application: the question, and when it was answered with yes. Nothing without an address. */
export function SentToEmployerSection({ application }: { application: JobApplication }) {
  const { t, i18n } = useTranslation('jobs');
  const change = useApplicationChange(application.id);
  const { job, sentToEmployer } = useShown(application);
  const address = webAddress(job?.externalUrl ?? null);
  if (!address) return null;
  // While a change is under way, the time still belongs to the previous answer.
  const at = sentToEmployer === application.sentToEmployer ? application.sentToEmployerAt : null;
  return (
    <section className="space-y-2.5">
      <SentQuestion
        value={sentToEmployer}
        onChange={(answer) => answer !== sentToEmployer && change.mutate({ sentToEmployer: answer })}
      />
      {sentToEmployer === 'yes' && at && (
        <p className="text-caption text-muted-foreground">
          {t('sentOn', { date: formatDate(i18n.language, at) })}
        </p>
      )}
      {sentToEmployer !== 'yes' && !job?.closedAt && <EmployerLink address={address} />}
    </section>
  );
}

interface NotSentProps {
  application: JobApplication;
  /** The id of the element that names the posting. */
  describedBy: string;
}

/** In the list: says that an application has not been sent, with the deadline and the way to send it. */
export function NotSent({ application, describedBy }: NotSentProps) {
  const { t, i18n } = useTranslation('jobs');
  const change = useApplicationChange(application.id);
  const { job, status, sentToEmployer } = useShown(application);
  if (sentToEmployer !== 'not-yet' || status !== 'applied') return null;
  const address = webAddress(job?.externalUrl ?? null);
  const deadline = formatDeadline(i18n.language, job?.applicationDeadline);
  const isOpen = !job?.closedAt;
  return (
    <div className="mt-1.5 space-y-0.5">
      <p className="flex items-start gap-1.5 text-caption font-medium text-gold-text">
        <CircleAlert className="icon-sm mt-0.5" />
        <span>
          {t('notSent')}
          {isOpen && deadline && ` · ${t('applyBy', { date: deadline })}`}
        </span>
      </p>
      {isOpen && (
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {address && <EmployerLink address={address} inText describedBy={describedBy} />}
          <button
            type="button"
            className={`${textAction} cursor-pointer`}
            aria-describedby={describedBy}
            onClick={() => change.mutate({ sentToEmployer: 'yes' })}
          >
            <Check className="icon-sm" />
            {t('markSent')}
          </button>
        </div>
      )}
    </div>
  );
}
