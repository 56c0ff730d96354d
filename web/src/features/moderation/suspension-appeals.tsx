// The appeals of suspended members: list, and the chosen one with its decision.
import { Scale } from 'lucide-react';
import type { ComponentProps } from 'react';
import { api, read } from '@/api/client';
import type { AppealDecision, DecideAppeal, DecisionReason, SuspensionAppeal } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Card } from '@/ui/card';
import { EmptyCard } from '@/ui/empty';
import { PagedCard, type PagedList } from '@/ui/paged-list';
import { CaseSkeletons } from './case-skeletons';
import { DecisionForm } from './decision-form';
import { Part, Quote } from './part';
import { releases, violations } from './reasons';
import { Row } from './row';
import { useCase } from './use-case';
import { useDecision } from './use-decision';

interface SuspensionAppealListProps {
  query: ComponentProps<typeof PagedList<SuspensionAppeal>>['query'];
  /** The id of the chosen one. */
  chosen: string | undefined;
}

export function SuspensionAppealList({ query, chosen }: SuspensionAppealListProps) {
  const { t } = useTranslation('moderation');
  const { search } = useCase();
  return (
    <PagedCard
      query={query}
      skeleton={<CaseSkeletons />}
      failed={t('listFailed')}
      more={t('more')}
      empty={<EmptyCard icon={Scale} title={t('appealsEmpty')} />}
      label={t('tabs.appeals')}
    >
      {(appeal: SuspensionAppeal) => (
        <Row
          key={appeal.id}
          to={search({ appeal: appeal.id })}
          isChosen={appeal.id === chosen}
          title={`@${appeal.username}`}
          mark={appeal.appealOutcome && t(`suspensionOutcomes.${appeal.appealOutcome}`)}
          excerpt={appeal.appeal}
          about={appeal.reason ? t(`reasons.${appeal.reason as DecisionReason}`) : t('isSuspended')}
          at={appeal.appealedAt}
        />
      )}
    </PagedCard>
  );
}

export function SuspensionAppealCase({ of: appeal }: { of: SuspensionAppeal }) {
  const { t } = useTranslation('moderation');
  const decide = useDecision(
    (body: DecideAppeal) =>
      read(
        api.POST('/api/moderation/suspension-appeals/{id}/decision', {
          params: { path: { id: appeal.id } },
          body,
        }),
      ),
    ({ decision }) => t(decision === 'uphold' ? 'suspensionUpheld' : 'suspensionOverturned'),
  );
  return (
    <Card className="divide-y" aria-labelledby="appeal-title">
      <div className="px-5 py-4">
        <h2 id="appeal-title" className="font-serif text-heading">
          {t('appealOf', { name: `@${appeal.username}` })}
        </h2>
        <p className="mt-2 text-caption text-muted-foreground">
          {appeal.reason && `${t(`reasons.${appeal.reason as DecisionReason}`)} · `}
          {t('suspendedBy', { name: appeal.suspendedBy ? `@${appeal.suspendedBy}` : t('formerMember') })}
        </p>
        {appeal.note && (
          <Part title={t('suspensionNote')}>
            <Quote>{appeal.note}</Quote>
          </Part>
        )}
        <Part title={t('suspendedSays')}>
          <Quote>{appeal.appeal}</Quote>
        </Part>
      </div>
      <div className="space-y-3 px-5 py-4">
        {appeal.appealOutcome ? (
          <>
            <h3 className="text-subhead">{t(`suspensionOutcomes.${appeal.appealOutcome}`)}</h3>
            <p className="text-ui text-muted-foreground">
              {appeal.appealReason && `${t(`reasons.${appeal.appealReason as DecisionReason}`)} · `}
              {appeal.appealDecidedBy ? `@${appeal.appealDecidedBy}` : t('formerMember')}
            </p>
            {appeal.appealNote && <Quote>{appeal.appealNote}</Quote>}
          </>
        ) : appeal.decidable ? (
          <DecisionForm<AppealDecision>
            place={`decide appeal ${appeal.id}`}
            choices={[
              { value: 'uphold', label: t('upholdSuspension'), reasons: violations },
              { value: 'overturn', label: t('overturnSuspension'), reasons: releases },
            ]}
            busy={decide.isPending}
            onDecide={(body, discard) => decide.mutate({ body, discard })}
          />
        ) : (
          <p className="text-ui text-muted-foreground">{t('ownMember')}</p>
        )}
      </div>
    </Card>
  );
}
