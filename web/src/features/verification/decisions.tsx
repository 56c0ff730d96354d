// The log of a school: the decisions about verifications, newest first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { Link } from 'react-router';
import type { VerificationDecision } from '@/api/schema.gen';
import { verificationDecisionsQuery } from '@/api/verifications';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { PagedList } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { RowSkeletons } from './row-skeletons';

/** Needs the texts of `verification`. */
export function Decisions() {
  const { t } = useTranslation('verification');
  return (
    <PagedList
      query={useInfiniteQuery(verificationDecisionsQuery)}
      skeleton={<RowSkeletons />}
      failed={t('logFailed')}
      more={t('more')}
      empty={
        <Card>
          <Empty icon={ScrollText} title={t('logEmpty')} />
        </Card>
      }
    >
      {(decisions: VerificationDecision[]) => (
        <Card className="overflow-hidden" aria-label={t('tabs.log')}>
          <ol className="divide-y">
            {decisions.map((decision) => (
              <li key={decision.id} className="px-5 py-3 text-ui">
                <Entry of={decision} />
              </li>
            ))}
          </ol>
        </Card>
      )}
    </PagedList>
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
