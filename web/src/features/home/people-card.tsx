// 'People you may know': suggestions to connect with or to ignore.
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { Link } from 'react-router';
import { knownItems } from '@/api/pages';
import { suggestionsQuery } from '@/api/queries';
import type { Suggestion, User } from '@/api/schema.gen';
import { ConnectButton } from '@/features/network/connect-button';
import { keepFocusNear } from '@/features/network/keep-focus';
import { useIgnore, useWithoutIgnored } from '@/features/network/mutations';
import { useReason } from '@/features/network/reason';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { isDoublePress } from '@/ui/double-press';
import { VerifiedMark } from '@/ui/verified-mark';
import { RailCard, RailSkeleton } from './rail-card';

const shownAtMost = 3;
/** A row without headline or reason keeps its height. */
const row = 'min-h-[5.875rem]';

export function PeopleCard({ user }: { user: User }) {
  const { t } = useTranslation('home');
  const { data, isPending, refetch } = useQuery(suggestionsQuery(user.id));
  return (
    <RailCard
      title={t('people')}
      items={useWithoutIgnored(knownItems(data))?.slice(0, shownAtMost)}
      isPending={isPending}
      skeleton={<RailSkeleton className="mt-3 space-y-3.5" row={row} picture="size-10 rounded-full!" />}
      empty={t('noPeople')}
      onRetry={refetch}
      footer={
        <Link to={paths.network} className="link reach mt-3 inline-block text-caption font-medium">
          {t('showMore')}
        </Link>
      }
    >
      {(people) => (
        <ul className="mt-3 space-y-3.5">
          {people.map((person) => (
            <PersonRow key={person.id} person={person} user={user} />
          ))}
        </ul>
      )}
    </RailCard>
  );
}

function PersonRow({ person, user }: { person: Suggestion; user: User }) {
  const { t } = useTranslation('home');
  const ignore = useIgnore(user);
  const reason = useReason();
  return (
    <li className={`flex items-start gap-3 ${row}`}>
      <Avatar user={person} size={40} decorative />
      <div className="min-w-0 flex-1">
        <p className="flex text-ui font-semibold">
          <Link to={paths.profile(person.id)} dir="auto" className="truncate hover:underline">
            {person.fullName}
          </Link>
          <VerifiedMark member={person} className="mt-0.5 ml-1" />
        </p>
        {person.headline && (
          <p dir="auto" className="truncate text-caption text-muted-foreground">
            {person.headline}
          </p>
        )}
        <p className="truncate text-micro text-muted-foreground">{reason(person)}</p>
        <div className="mt-2 flex gap-1">
          <ConnectButton user={user} person={person} />
          <Button
            variant="ghost"
            size="sm"
            className="px-2"
            aria-label={t('ignore', { name: person.fullName })}
            onClick={(event) => {
              if (isDoublePress(event)) return;
              keepFocusNear(event.currentTarget);
              ignore.mutate(person);
            }}
          >
            <X className="icon-sm" />
          </Button>
        </div>
      </div>
    </li>
  );
}
