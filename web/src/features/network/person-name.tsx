// A member's name, linked to the profile, above the headline; each has at most two lines.
import { Link } from 'react-router';
import type { Author } from '@/api/schema.gen';
import { paths } from '@/paths';
import { VerifiedMark } from '@/ui/verified-mark';

interface PersonNameProps {
  person: Author;
  /** Further classes of the name. */
  className?: string;
}

export function PersonName({ person, className = '' }: PersonNameProps) {
  return (
    <>
      {/* The mark follows the last word of the name, on its line. The padding has room for the focus ring, which the clamp cuts. */}
      <p dir="auto" className={`-m-1 line-clamp-2 p-1 text-ui wrap-anywhere ${className}`}>
        <Link to={paths.profile(person.id)} className="font-semibold hover:underline">
          {person.fullName}
        </Link>
        <VerifiedMark member={person} className="ml-1" />
      </p>
      {person.headline && (
        <p dir="auto" className="line-clamp-2 text-caption text-muted-foreground wrap-anywhere">
          {person.headline}
        </p>
      )}
    </>
  );
}
