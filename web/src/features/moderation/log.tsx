// The log of moderation: the actions of operators and moderators, newest first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { Link } from 'react-router';
import { moderationLogQuery } from '@/api/moderation';
import type { DecisionReason, ModerationLogEntry } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { CaseSkeletons } from './case-skeletons';
import { Quote } from './part';

const events = [
  'suspended',
  'restored',
  'removed',
  'report-dismissed',
  'appeal-upheld',
  'appeal-overturned',
  'moderator-granted',
  'moderator-revoked',
] as const;

export function Log() {
  const { t } = useTranslation('moderation');
  const query = useInfiniteQuery(moderationLogQuery);
  return (
    <PagedCard
      query={query}
      skeleton={<CaseSkeletons />}
      failed={t('logFailed')}
      more={t('more')}
      empty={<EmptyCard icon={ScrollText} title={t('logEmpty')} />}
      label={t('tabs.log')}
      ordered
    >
      {(entry: ModerationLogEntry) => (
        <li key={entry.id} className="px-5 py-3 text-ui">
          <Entry of={entry} />
        </li>
      )}
    </PagedCard>
  );
}

function Entry({ of: entry }: { of: ModerationLogEntry }) {
  const { t } = useTranslation('moderation');
  const event = events.find((one) => one === entry.event);
  const by = entry.byOperator ? t('operator') : (entry.moderator ?? t('formerMember'));
  return (
    <>
      <p className="wrap-anywhere">
        <span className="font-semibold">{event ? t(`events.${event}`) : entry.event}</span>
        {entry.userId && (
          <>
            {' · '}
            <Link className="link underline" to={paths.profile(entry.userId)}>
              {entry.username ? `@${entry.username}` : t('formerMember')}
            </Link>
          </>
        )}
      </p>
      <p className="text-caption text-muted-foreground wrap-anywhere">
        {[by, entry.reason && t(`reasons.${entry.reason as DecisionReason}`), entry.about]
          .filter(Boolean)
          .join(' · ')}
        {' · '}
        <RelativeTime at={entry.at} />
      </p>
      {entry.note && <Quote>{entry.note}</Quote>}
    </>
  );
}
