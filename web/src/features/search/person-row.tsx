// A member in the results: name, headline, Connect, Message, and menu.
import { Link } from 'react-router';
import type { Person } from '@/api/schema.gen';
import { ConnectionButton } from '@/features/network/connection-button';
import { MessageButton } from '@/features/network/message-button';
import { PersonMenu } from '@/features/network/person-menu';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { Highlight } from '@/ui/highlight';
import { VerifiedMark } from '@/ui/verified-mark';

export function PersonRow({ person }: { person: Person }) {
  const { t } = useTranslation('network');
  const { user } = useAuth();
  const about = [person.school, person.location].filter(Boolean).join(' · ');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3.5 md:px-5">
      <Link to={paths.profile(person.id)} tabIndex={-1} aria-hidden="true" className="self-start">
        <Avatar user={person} size={52} decorative />
      </Link>
      <div className="min-w-0 flex-1 wrap-anywhere">
        <Link to={paths.profile(person.id)} dir="auto" className="text-ui font-semibold hover:underline">
          <Highlight>{person.fullName}</Highlight>
        </Link>
        <VerifiedMark member={person} className="ml-1" />
        {person.headline && (
          <p dir="auto" className="line-clamp-2 text-caption text-muted-foreground">
            <Highlight>{person.headline}</Highlight>
          </p>
        )}
        {about && (
          <p className="truncate text-micro text-muted-foreground">
            <Highlight>{about}</Highlight>
          </p>
        )}
      </div>
      {user?.id !== person.id && (
        <div className="flex flex-wrap gap-2 max-sm:order-last max-sm:w-full">
          <MessageButton person={person} variant="ghost" size="sm">
            {t('message')}
          </MessageButton>
          <ConnectionButton person={person} known={person.connection} inList />
        </div>
      )}
      <PersonMenu person={person} size="sm" className="-mr-2" />
    </li>
  );
}
