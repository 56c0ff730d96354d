// The appeals of authors and of suspended members: list, and the chosen one with its decision.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { api, read } from '@/api/client';
import { appealsQuery, type CaseState, suspensionAppealsQuery } from '@/api/moderation';
import { itemsOf } from '@/api/pages';
import type { AppealDecision, DecideAppeal, ModeratedAppeal } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Card } from '@/ui/card';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { Segmented } from '@/ui/segmented';
import { CaseSkeletons } from './case-skeletons';
import { DecisionForm } from './decision-form';
import { Part, Quote } from './part';
import { releases, violations } from './reasons';
import { Row } from './row';
import { Split } from './split';
import { SuspensionAppealCase, SuspensionAppealList } from './suspension-appeals';
import { useCase } from './use-case';
import { useDecision } from './use-decision';

type Against = 'removals' | 'suspensions';

export function Appeals() {
  const { t } = useTranslation('moderation');
  const { get, search, change } = useCase();
  const state: CaseState = get('state') === 'decided' ? 'decided' : 'open';
  const against: Against = get('against') === 'suspensions' ? 'suspensions' : 'removals';
  const query = useInfiniteQuery({ ...appealsQuery(state), enabled: against === 'removals' });
  const suspensions = useInfiniteQuery({
    ...suspensionAppealsQuery(state),
    enabled: against === 'suspensions',
  });
  const id = get('appeal');
  const chosen = against === 'removals' ? itemsOf(query.data).find((one) => one.id === id) : undefined;
  const suspension =
    against === 'suspensions' ? itemsOf(suspensions.data).find((one) => one.id === id) : undefined;
  return (
    <Split
      hint={t('chooseAppeal')}
      back={{ to: search({ appeal: null }), label: t('back') }}
      detail={
        chosen ? (
          <Appeal key={chosen.id} of={chosen} />
        ) : suspension ? (
          <SuspensionAppealCase key={suspension.id} of={suspension} />
        ) : null
      }
      list={
        <div className="space-y-4">
          <Segmented
            label={t('against')}
            options={[
              { value: 'removals', label: t('againstRemovals') },
              { value: 'suspensions', label: t('againstSuspensions') },
            ]}
            value={against}
            onChange={(next) => change({ against: next, appeal: null })}
          />
          <Segmented
            label={t('state')}
            options={[
              { value: 'open', label: t('open') },
              { value: 'decided', label: t('decided') },
            ]}
            value={state}
            onChange={(next) => change({ state: next, appeal: null })}
          />
          {against === 'suspensions' ? (
            <SuspensionAppealList query={suspensions} chosen={suspension?.id} />
          ) : (
            <PagedCard
              query={query}
              skeleton={<CaseSkeletons />}
              failed={t('listFailed')}
              more={t('more')}
              empty={<EmptyCard icon={Scale} title={t('appealsEmpty')} />}
              label={t('tabs.appeals')}
            >
              {(appeal: ModeratedAppeal) => (
                <Row
                  key={appeal.id}
                  to={search({ appeal: appeal.id })}
                  isChosen={appeal.id === chosen?.id}
                  title={appeal.author.fullName}
                  mark={appeal.appealOutcome && t(`appealOutcomes.${appeal.appealOutcome}`)}
                  excerpt={appeal.appeal ?? ''}
                  about={appeal.reason ? t(`reasons.${appeal.reason}`) : t(`kinds.${appeal.kind}`)}
                  at={appeal.appealedAt ?? appeal.removedAt}
                />
              )}
            </PagedCard>
          )}
        </div>
      }
    />
  );
}

function Appeal({ of: appeal }: { of: ModeratedAppeal }) {
  const { t } = useTranslation('moderation');
  const decide = useDecision(
    (body: DecideAppeal) =>
      read(api.POST('/api/moderation/appeals/{id}/decision', { params: { path: { id: appeal.id } }, body })),
    ({ decision }) => t(decision === 'uphold' ? 'upheld' : 'overturned'),
  );
  return (
    <Card className="divide-y" aria-labelledby="appeal-title">
      <div className="px-5 py-4">
        <h2 id="appeal-title" className="font-serif text-heading">
          {t('appealOf', { name: appeal.author.fullName })}
        </h2>
        <Part title={t(`removedContent.${appeal.kind === 'comment' ? 'comment' : 'post'}`)}>
          <Quote>{appeal.excerpt}</Quote>
        </Part>
        <p className="mt-2 text-caption text-muted-foreground">
          {appeal.reason && `${t(`reasons.${appeal.reason}`)} · `}
          {t('removedBy', { name: appeal.removedBy?.fullName ?? t('operator') })}
        </p>
        <Part title={t('appealText')}>
          <Quote>{appeal.appeal ?? ''}</Quote>
        </Part>
      </div>
      <div className="space-y-3 px-5 py-4">
        {appeal.appealOutcome ? (
          <>
            <h3 className="text-subhead">{t(`appealOutcomes.${appeal.appealOutcome}`)}</h3>
            <p className="text-ui text-muted-foreground">
              {appeal.appealReason && `${t(`reasons.${appeal.appealReason}`)} · `}
              {appeal.appealDecidedBy?.fullName ?? t('formerMember')}
            </p>
            {appeal.appealNote && <Quote>{appeal.appealNote}</Quote>}
          </>
        ) : appeal.decidable ? (
          <DecisionForm<AppealDecision>
            place={`decide appeal ${appeal.id}`}
            choices={[
              { value: 'uphold', label: t('uphold'), reasons: violations },
              { value: 'overturn', label: t('overturn'), reasons: releases },
            ]}
            busy={decide.isPending}
            onDecide={(body, discard) => decide.mutate({ body, discard })}
          />
        ) : (
          <p className="text-ui text-muted-foreground">{t('ownRemoval')}</p>
        )}
        {!appeal.appealOutcome && (
          <p className="text-caption text-pretty text-muted-foreground">
            {t(appeal.restorable ? 'restorable' : 'notRestorable')}
          </p>
        )}
      </div>
    </Card>
  );
}
