// A person of the network: a row on a phone, a centred card from 640 px (DESIGN.md, section 5, Connection card).
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Author } from '@/api/types';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { buttonClass } from '@/ui/button';
import { PersonName } from './person-name';

/** The grid that the cards stand in. */
export const personGrid = 'grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3';

interface PersonCardProps {
  person: Author;
  /** A third line. */
  note?: ReactNode;
  /** In place of the Message button. */
  action?: ReactNode;
}

export function PersonCard({ person, note, action }: PersonCardProps) {
  const { t } = useTranslation('network');
  return (
    <article className="card flex min-w-0 items-center gap-4 p-4 sm:flex-col sm:items-stretch sm:gap-0 sm:p-5 sm:text-center">
      <Link
        to={paths.profile(person.id)}
        tabIndex={-1}
        aria-hidden="true"
        className="flex shrink-0 sm:mx-auto"
      >
        <Avatar user={person} size={52} decorative className="sm:hidden" />
        <Avatar user={person} size={72} decorative className="max-sm:hidden" />
      </Link>
      <div className="min-w-0 flex-1 sm:mt-3.5">
        <PersonName person={person} className="sm:text-[0.9375rem]" />
        {note && <p className="mt-1 text-micro text-muted-foreground">{note}</p>}
      </div>
      {action ?? (
        <Link
          to={paths.messages}
          className={buttonClass({ variant: 'outline', size: 'sm', className: 'shrink-0 sm:mt-5' })}
        >
          {t('message')}
        </Link>
      )}
    </article>
  );
}
