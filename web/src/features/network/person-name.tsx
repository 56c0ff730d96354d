// A person's name, which leads to the profile, over at most two lines of headline.
import { Link } from 'react-router';
import type { Author } from '@/api/types';
import { paths } from '@/paths';

interface PersonNameProps {
  person: Author;
  /** How the name is set; one line unless told. */
  className?: string;
}

export function PersonName({ person, className = 'truncate' }: PersonNameProps) {
  return (
    <>
      <Link
        to={paths.profile(person.id)}
        className={`block text-ui font-semibold hover:underline ${className}`}
      >
        {person.fullName}
      </Link>
      {person.headline && (
        <p className="line-clamp-2 text-caption text-muted-foreground wrap-anywhere">{person.headline}</p>
      )}
    </>
  );
}
