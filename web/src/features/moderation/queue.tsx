// The queue of reports: filters, list, and the chosen report.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { type CaseState, reportsQuery } from '@/api/moderation';
import type { ModeratedReport, ReportedKind, ReportReason } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { Segmented } from '@/ui/segmented';
import { Select } from '@/ui/select';
import { CaseSkeletons } from './case-skeletons';
import { violations } from './reasons';
import { Report } from './report';
import { Row } from './row';
import { Split } from './split';
import { useCase } from './use-case';

const kinds = ['post', 'comment', 'member', 'message', 'job'] as const satisfies ReportedKind[];

const known = <Value extends string>(values: readonly Value[], value: string | null): Value | undefined =>
  values.find((one) => one === value);

export function Queue() {
  const { t } = useTranslation(['moderation', 'reports']);
  const { get, search, change } = useCase();
  const state: CaseState = get('state') === 'decided' ? 'decided' : 'open';
  const kind = known(kinds, get('kind'));
  const reason = known<ReportReason>(violations, get('reason'));
  const chosen = get('report');
  const query = useInfiniteQuery(reportsQuery({ state, ...(kind && { kind }), ...(reason && { reason }) }));
  return (
    <Split
      hint={t('chooseReport')}
      back={{ to: search({ report: null }), label: t('back') }}
      detail={chosen && <Report key={chosen} id={chosen} />}
      list={
        <div className="space-y-4">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Segmented
              label={t('state')}
              options={[
                { value: 'open', label: t('open') },
                { value: 'decided', label: t('decided') },
              ]}
              value={state}
              onChange={(next) => change({ state: next, report: null })}
            />
            <Select
              look="inline"
              align="start"
              label={t('kind')}
              options={[
                { value: 'all', label: t('allKinds') },
                ...kinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
              ]}
              value={kind ?? 'all'}
              onChange={(next) => change({ kind: next === 'all' ? null : next, report: null })}
            />
            <Select
              look="inline"
              align="start"
              label={t('reportReason')}
              options={[
                { value: 'all', label: t('allReasons') },
                ...violations.map((value) => ({ value, label: t(`reports:reasons.${value}`) })),
              ]}
              value={reason ?? 'all'}
              onChange={(next) => change({ reason: next === 'all' ? null : next, report: null })}
            />
          </div>
          <PagedCard
            query={query}
            skeleton={<CaseSkeletons />}
            failed={t('listFailed')}
            more={t('more')}
            empty={
              <EmptyCard
                icon={ShieldCheck}
                title={t(state === 'open' ? 'queueEmpty' : 'decidedEmpty')}
                hint={state === 'open' ? t('queueEmptyHint') : undefined}
              />
            }
            label={t('tabs.queue')}
          >
            {(report: ModeratedReport) => (
              <Row
                key={report.id}
                to={search({ report: report.id })}
                isChosen={report.id === chosen}
                title={t(`reports:reasons.${report.reason}`)}
                mark={
                  report.outcome
                    ? t(`outcomes.${report.outcome}`)
                    : report.reportCount > 1 && t('reportCount', { count: report.reportCount })
                }
                excerpt={report.excerpt}
                about={
                  report.subject && report.kind !== 'member'
                    ? t('kindOf', { kind: t(`kinds.${report.kind}`), name: report.subject.fullName })
                    : (report.subject?.fullName ?? t(`kinds.${report.kind}`))
                }
                at={report.createdAt}
              />
            )}
          </PagedCard>
        </div>
      }
    />
  );
}
