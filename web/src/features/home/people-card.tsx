// 'People you may know': suggestions one can connect with.
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { suggestionsQuery } from '@/api/queries';
import type { Suggestion, User } from '@/api/types';
import { ConnectButton } from '@/features/network/connect-button';
import { sayNotYet } from '@/features/posts/not-yet';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { RailCard } from './rail-card';

const shownAtMost = 3;

export function PeopleCard({ user }: { user: User }) {
  const { t } = useTranslation('home');
  return (
    <RailCard
      title={t('people')}
      query={useQuery(suggestionsQuery(user.id))}
      empty={t('noPeople')}
      footer={
        <Link to={paths.network} className="link mt-3 inline-block text-caption font-medium">
          {t('showMore')}
        </Link>
      }
    >
      {(people) => (
        <ul className="mt-3 space-y-3.5">
          {people.slice(0, shownAtMost).map((person) => (
            <PersonRow key={person.id} person={person} user={user} />
          ))}
        </ul>
      )}
    </RailCard>
  );
}

function PersonRow({ person, user }: { person: Suggestion; user: User }) {
  const { t } = useTranslation(['home', 'posts']);
  return (
    <li className="flex items-start gap-3">
      <Avatar user={person} size={40} decorative />
      <div className="min-w-0 flex-1">
        <p className="truncate text-ui font-semibold">
          <Link to={paths.profile(person.id)} className="hover:underline">
            {person.fullName}
          </Link>
        </p>
        {person.headline && <p className="truncate text-caption text-muted-foreground">{person.headline}</p>}
        <div className="mt-2 flex gap-1">
          <ConnectButton user={user} person={person} />
          <Button
            variant="ghost"
            size="sm"
            className="px-2"
            aria-label={t('ignore', { name: person.fullName })}
            onClick={() => sayNotYet((key) => t(`posts:${key}`))}
          >
            <X className="icon-sm" aria-hidden="true" />
          </Button>
        </div>
      </div>
    </li>
  );
}
