// The members of the steward's school, with a search and a filter.
import { useInfiniteQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import type { SchoolMember } from '@/api/schema.gen';
import { schoolMembersQuery, type VerificationState } from '@/api/verifications';
import { PersonName } from '@/features/network/person-name';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { EmptyCard } from '@/ui/empty';
import { useFilters } from '@/ui/filters';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { SearchField } from '@/ui/search-field';
import { Segmented } from '@/ui/segmented';
import { RowSkeletons } from './row-skeletons';
import { VerificationButton } from './verification-button';

const states = ['unverified', 'verified'] as const;

interface Filters {
  search?: string;
  state?: VerificationState;
}

export function Members() {
  const { t } = useTranslation('verification');
  const [{ search, state }, change] = useFilters<Filters>({ search: null, state: states });
  const query = useInfiniteQuery(
    schoolMembersQuery({ ...(search && { search: search.slice(0, 100) }), ...(state && { state }) }),
  );
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label={t('search')}
          value={search ?? ''}
          pause={300}
          className="min-w-0 flex-1 basis-60"
          onSearch={(text) => change({ search: text })}
        />
        <Segmented
          label={t('filter')}
          options={(['all', ...states] as const).map((value) => ({ value, label: t(`states.${value}`) }))}
          value={state ?? 'all'}
          onChange={(next) => change({ state: next === 'all' ? '' : next })}
        />
      </div>
      <PagedCard
        query={query}
        skeleton={<RowSkeletons />}
        failed={t('membersFailed')}
        more={t('more')}
        empty={<EmptyCard icon={UsersRound} title={t(search || state ? 'noneFound' : 'noMembers')} />}
        label={t('tabs.members')}
      >
        {(member: SchoolMember) => <Row key={member.user.id} member={member} />}
      </PagedCard>
    </div>
  );
}

function Row({ member }: { member: SchoolMember }) {
  const { t } = useTranslation('verification');
  const { user, username, graduationYear, verifiedAt } = member;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3.5 md:px-5">
      <Avatar user={user} size={44} decorative />
      <div className="min-w-0 flex-1 basis-48">
        <PersonName person={user} />
        <p className="text-micro text-muted-foreground wrap-anywhere">
          {[username && `@${username}`, graduationYear && t('classOf', { year: graduationYear })]
            .filter(Boolean)
            .join(' · ')}
          {verifiedAt && (
            <>
              {' · '}
              {t(user.verifiedSchool ? 'verifiedBySchool' : 'verifiedByPortia')}{' '}
              <RelativeTime at={verifiedAt} />
            </>
          )}
        </p>
      </div>
      {member.decidable && (
        <div className="max-sm:w-full max-sm:pl-[3.75rem]">
          <VerificationButton member={member} />
        </div>
      )}
    </li>
  );
}
