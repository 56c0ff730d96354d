// The suspended members, who can be restored.
import { useInfiniteQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { suspensionsQuery } from '@/api/moderation';
import type { MemberStanding } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { CaseSkeletons } from './case-skeletons';
import { MemberDecision } from './member-decision';

export function Suspensions() {
  const { t } = useTranslation('moderation');
  const query = useInfiniteQuery(suspensionsQuery);
  return (
    <div className="space-y-4">
      <p className="text-ui text-pretty text-muted-foreground">{t('suspensionsAbout')}</p>
      <PagedCard
        query={query}
        skeleton={<CaseSkeletons />}
        failed={t('listFailed')}
        more={t('more')}
        empty={<EmptyCard icon={UserX} title={t('suspensionsEmpty')} />}
        label={t('tabs.suspensions')}
      >
        {(member: MemberStanding) => (
          <li
            key={member.userId}
            className="flex flex-wrap items-center justify-between gap-3 px-5 py-3 text-ui"
          >
            <span className="min-w-0 wrap-anywhere">
              <span className="font-semibold">@{member.username}</span>
              {member.suspendedAt && (
                <RelativeTime at={member.suspendedAt} className="block text-caption text-muted-foreground" />
              )}
            </span>
            <MemberDecision standing={member} />
          </li>
        )}
      </PagedCard>
    </div>
  );
}
