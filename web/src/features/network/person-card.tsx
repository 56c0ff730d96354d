// A person of the network: a row on a phone, a centred card from 640 px (DESIGN.md, section 5, Connection card).
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Author } from '@/api/types';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { buttonClass } from '@/ui/button';

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
        <Link
          to={paths.profile(person.id)}
          className="block truncate text-ui font-semibold hover:underline sm:text-[0.9375rem]"
        >
          {person.fullName}
        </Link>
        {person.headline && (
          <p className="line-clamp-2 text-caption text-muted-foreground wrap-anywhere">{person.headline}</p>
        )}
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
