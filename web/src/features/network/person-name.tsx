// A member's name, linked to the profile, above at most two lines of headline.
import { Link } from 'react-router';
import type { Author } from '@/api/types';
import { paths } from '@/paths';

interface PersonNameProps {
  person: Author;
  /** The classes of the name; by default it has one line. */
  className?: string;
}

export function PersonName({ person, className = 'truncate' }: PersonNameProps) {
  return (
    <>
      <Link
        to={paths.profile(person.id)}
        dir="auto"
        className={`block text-ui font-semibold hover:underline ${className}`}
      >
        {person.fullName}
      </Link>
      {person.headline && (
        <p dir="auto" className="line-clamp-2 text-caption text-muted-foreground wrap-anywhere">
          {person.headline}
        </p>
      )}
    </>
  );
}
