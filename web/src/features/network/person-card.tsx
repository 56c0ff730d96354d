// A member in the network: a row on a phone, a centred card from 640 px (DESIGN.md, section 5, Connection card).
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Author } from '@/api/schema.gen';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { PersonName } from './person-name';
export const personGrid = 'grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3';

interface PersonCardProps {
  person: Author;
  /** A third line. */
  note?: ReactNode;
  /** At the end of the row on a phone, otherwise in the corner of the card. */
  menu?: ReactNode;
  /** Several buttons: below the text on a phone too. */
  stacked?: boolean;
  children: ReactNode;
}

export function PersonCard({ person, note, menu, stacked, children }: PersonCardProps) {
  return (
    <article
      className={`card relative flex min-w-0 items-center gap-x-4 p-4 sm:flex-col sm:flex-nowrap sm:items-stretch sm:gap-0 sm:p-5 sm:text-center ${stacked ? 'flex-wrap gap-y-3' : 'gap-y-3 max-sm:gap-x-3 max-[22.4rem]:flex-wrap'}`}
    >
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
      <div
        className={`flex shrink-0 flex-wrap items-center gap-2 sm:mt-5 sm:*:flex-1 ${stacked ? 'max-sm:w-full max-sm:pl-14 max-[22.4rem]:pl-0' : 'max-[22.4rem]:order-last max-[22.4rem]:w-full max-[22.4rem]:*:flex-1'}`}
      >
        {children}
      </div>
      {menu && <div className="-mr-2 max-sm:-ml-2 sm:absolute sm:top-2 sm:right-4">{menu}</div>}
    </article>
  );
}
