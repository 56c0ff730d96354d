// A person's name, which leads to the profile, over at most two lines of headline.
import { Link } from 'react-router';
import type { Author } from '@/api/types';
import { paths } from '@/paths';

export function PersonName({ person, className = '' }: { person: Author; className?: string }) {
  return (
    <>
      <Link
        to={paths.profile(person.id)}
        className={`block truncate text-ui font-semibold hover:underline ${className}`}
      >
        {person.fullName}
      </Link>
      {person.headline && (
        <p className="line-clamp-2 text-caption text-muted-foreground wrap-anywhere">{person.headline}</p>
      )}
    </>
  );
}
