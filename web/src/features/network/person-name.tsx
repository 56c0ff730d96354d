// A member's name, linked to the profile, above at most two lines of headline.
import { Link } from 'react-router';
import type { Author } from '@/api/types';
import { paths } from '@/paths';
import { VerifiedMark } from '@/ui/verified-mark';

interface PersonNameProps {
  person: Author;
  /** The classes of the name; by default it has one line. */
  className?: string;
}

export function PersonName({ person, className = 'truncate' }: PersonNameProps) {
  return (
    <>
      <span className="inline-flex max-w-full items-start gap-1 align-top">
        <Link
          to={paths.profile(person.id)}
          dir="auto"
          className={`block min-w-0 text-ui font-semibold hover:underline ${className}`}
        >
          {person.fullName}
        </Link>
        <VerifiedMark member={person} className="mt-0.5" />
      </span>
      {person.headline && (
        <p dir="auto" className="line-clamp-2 text-caption text-muted-foreground wrap-anywhere">
          {person.headline}
        </p>
      )}
    </>
  );
}
