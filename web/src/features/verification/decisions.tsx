// The log of a school: the decisions about verifications, newest first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { Link } from 'react-router';
import type { VerificationDecision } from '@/api/schema.gen';
import { verificationDecisionsQuery } from '@/api/verifications';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { RowSkeletons } from './row-skeletons';

export function Decisions() {
  const { t } = useTranslation('verification');
  return (
    <PagedCard
      query={useInfiniteQuery(verificationDecisionsQuery)}
      skeleton={<RowSkeletons />}
      failed={t('logFailed')}
      more={t('more')}
      empty={<EmptyCard icon={ScrollText} title={t('logEmpty')} />}
      label={t('tabs.log')}
      ordered
    >
      {(decision: VerificationDecision) => (
        <li key={decision.id} className="px-5 py-3 text-ui">
          <Entry of={decision} />
        </li>
      )}
    </PagedCard>
  );
}

function Entry({ of: { user, verified, cause, steward, reason, at } }: { of: VerificationDecision }) {
  const { t } = useTranslation('verification');
  const by = cause === 'steward' ? (steward?.fullName ?? t('formerMember')) : t(`causes.${cause}`);
  return (
    <>
      <p className="wrap-anywhere">
        <span className="font-semibold">{t(verified ? 'events.verified' : 'events.ended')}</span>
        {' · '}
        <Link className="link underline" to={paths.profile(user.id)}>
          {user.fullName}
        </Link>
      </p>
      <p className="text-caption text-muted-foreground wrap-anywhere">
        {by}
        {' · '}
        <RelativeTime at={at} />
      </p>
      {reason && <p className="mt-1 text-caption wrap-anywhere">{reason}</p>}
    </>
  );
}
