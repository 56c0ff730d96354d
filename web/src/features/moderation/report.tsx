// A report: the reported text, the reporters, the content as it is now, its author, and the decision.
import { useQuery } from '@tanstack/react-query';
import { Download, FileText } from 'lucide-react';
import { Link } from 'react-router';
import { api, read } from '@/api/client';
import { reportQuery } from '@/api/moderation';
import type {
  DecideReport,
  MessageFile,
  MessagePicture,
  ModeratedReport,
  ReportDetails,
} from '@/api/schema.gen';
import { PostPictures } from '@/features/posts/post-pictures';
import { formatFileSize } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Card } from '@/ui/card';
import { ErrorPanel } from '@/ui/error-panel';
import { RelativeTime } from '@/ui/relative-time';
import { CaseSkeletons } from './case-skeletons';
import { DecisionForm } from './decision-form';
import { MemberDecision } from './member-decision';
import { Part, Quote } from './part';
import { releases, violations } from './reasons';
import { useDecision } from './use-decision';

/** Needs the texts of `moderation` and `reports`. */
export function Report({ id }: { id: string }) {
  const { t } = useTranslation('moderation');
  const { data, isPending, refetch } = useQuery(reportQuery(id));
  if (isPending) return <CaseSkeletons />;
  if (!data) return <ErrorPanel onRetry={() => void refetch()}>{t('reportFailed')}</ErrorPanel>;
  return <Details of={data} />;
}

function Details({
  of: { report, statements, current, pictures, file, standing, subjectRemoved, subjectDismissed },
}: {
  of: ReportDetails;
}) {
  const { t } = useTranslation(['moderation', 'reports']);
  const subject = report.subject;
  return (
    <Card className="divide-y" aria-labelledby="report-title">
      <div className="px-5 py-4">
        <h2 id="report-title" className="font-serif text-heading">
          {t(`reportOf.${report.kind}`)}
        </h2>
        <Part title={t('asReported')}>
          <Quote>{report.excerpt}</Quote>
        </Part>
        {(pictures?.length > 0 || file) && (
          <Part title={t('attachedAsReported')}>
            <ReportedAttachments id={report.id} pictures={pictures} file={file} />
          </Part>
        )}
        {current && !`\n${report.excerpt}\n`.includes(`\n${current.content}\n`) && (
          <Part title={t('asNow')}>
            <Quote>{current.content}</Quote>
          </Part>
        )}
        {current?.postExcerpt && (
          <Part title={t('onPost')}>
            <Quote>{current.postExcerpt}</Quote>
          </Part>
        )}
        <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-ui">
          {current && (
            <Link className="link min-h-6" to={paths.post(current.postId)}>
              {t('openPost')}
            </Link>
          )}
          {current?.communityId && (
            <Link className="link min-h-6" to={paths.community(current.communityId)}>
              {t('inCommunity', { name: current.communityName ?? '' })}
            </Link>
          )}
          {report.kind === 'job' && (
            <Link className="link min-h-6" to={paths.job(report.itemId)}>
              {t('openJob')}
            </Link>
          )}
          {(report.kind === 'post' || report.kind === 'comment') && !current && (
            <span className="text-muted-foreground">{t('isGone')}</span>
          )}
        </p>
      </div>
      <div className="px-5 py-4">
        <h3 className="text-subhead">{t('reportedBy')}</h3>
        <ul className="mt-2 space-y-3">
          {statements.map((statement) => (
            <li key={`${statement.createdAt} ${statement.reporter?.id}`} className="text-ui">
              <span className="font-semibold wrap-anywhere">
                {statement.reporter ? (
                  <Link className="link" to={paths.profile(statement.reporter.id ?? '')}>
                    {statement.reporter.fullName}
                  </Link>
                ) : (
                  t('formerMember')
                )}
              </span>{' '}
              · {t(`reports:reasons.${statement.reason}`)} · <RelativeTime at={statement.createdAt} />
              {statement.words && <Quote>{statement.words}</Quote>}
              <span className="block text-caption text-muted-foreground">
                {t('accuracy', { removed: statement.removed, dismissed: statement.dismissed })}
              </span>
            </li>
          ))}
        </ul>
        <p className="mt-3 text-caption text-muted-foreground">{t('reportersConfidential')}</p>
      </div>
      {(subject || standing) && (
        <div className="space-y-2 px-5 py-4 text-ui">
          <h3 className="text-subhead">{t('author')}</h3>
          <p className="wrap-anywhere">
            {subject?.id ? (
              <Link className="link font-semibold" to={paths.profile(subject.id)}>
                {subject.fullName}
              </Link>
            ) : null}
            {standing && <span className="text-muted-foreground"> @{standing.username}</span>}
            {standing?.suspendedAt && <span className="text-destructive-text"> · {t('isSuspended')}</span>}
          </p>
          <p className="text-caption text-muted-foreground">
            {t('history', { removed: subjectRemoved, dismissed: subjectDismissed })}
          </p>
          {standing && <MemberDecision standing={standing} />}
        </div>
      )}
      <div className="px-5 py-4">
        <Decision of={report} />
      </div>
    </Card>
  );
}

function Decision({ of: report }: { of: ModeratedReport }) {
  const { t } = useTranslation('moderation');
  const decide = useDecision(
    (body: DecideReport) =>
      read(api.POST('/api/moderation/reports/{id}/decision', { params: { path: { id: report.id } }, body })),
    ({ decision }) => t(decision === 'remove' ? 'removed' : 'dismissed'),
  );
  if (report.outcome)
    return (
      <div className="space-y-1 text-ui">
        <h3 className="text-subhead">{t(`outcomes.${report.outcome}`)}</h3>
        <p className="text-muted-foreground">
          {report.decisionReason && `${t(`reasons.${report.decisionReason}`)} · `}
          {report.decidedBy?.fullName ?? t('operator')}
          {report.decidedAt && (
            <>
              {' · '}
              <RelativeTime at={report.decidedAt} />
            </>
          )}
        </p>
        {report.note && <Quote>{report.note}</Quote>}
      </div>
    );
  if (!report.decidable) return <p className="text-ui text-muted-foreground">{t('ownCase')}</p>;
  const dismiss = { value: 'dismiss', label: t('dismiss'), reasons: releases } as const;
  const remove = {
    value: 'remove',
    label: t(report.kind === 'job' ? 'closeJob' : 'remove'),
    reasons: violations,
  } as const;
  const isRemovable = report.kind !== 'member' && report.kind !== 'message';
  return (
    <div className="space-y-3">
      <DecisionForm<DecideReport['decision']>
        place={`report ${report.id}`}
        choices={isRemovable ? [remove, dismiss] : [dismiss]}
        busy={decide.isPending}
        onDecide={(body, discard) => decide.mutate({ body, discard })}
      />
      <p className="text-caption text-pretty text-muted-foreground">
        {t(isRemovable ? (report.kind === 'job' ? 'jobHint' : 'removeHint') : 'notRemovable')}
      </p>
    </div>
  );
}

interface ReportedAttachmentsProps {
  /** Of the report. */
  id: string;
  pictures: MessagePicture[];
  file: MessageFile | null;
}

/** The sender may have deleted the message. */
function ReportedAttachments({ id, pictures, file }: ReportedAttachmentsProps) {
  const { t, i18n } = useTranslation('moderation');
  return (
    <>
      {pictures.length > 0 && (
        <div className="mt-1 w-72 max-w-full overflow-hidden rounded-md">
          <PostPictures id={id} pictures={pictures} />
        </div>
      )}
      {file && (
        <a
          href={file.url}
          download={file.name}
          className="mt-1 flex w-72 max-w-full items-center gap-3 rounded-md border p-2.5 hover:bg-hover"
        >
          <FileText className="icon-sm shrink-0" />
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block text-caption font-semibold wrap-anywhere">
              {file.name}
            </span>
            <span className="block text-micro text-muted-foreground">
              {formatFileSize(i18n.language, file.size)}
            </span>
          </span>
          <span className="sr-only">{t('downloadFile')}</span>
          <Download className="icon-sm shrink-0 text-muted-foreground" />
        </a>
      )}
    </>
  );
}
