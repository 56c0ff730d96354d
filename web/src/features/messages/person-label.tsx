// A member to choose, in a row of the dialogs of messages: picture, name and headline, a line each.
import type { Author } from '@/api/schema.gen';
import { Avatar } from '@/ui/avatar';
import { VerifiedMark } from '@/ui/verified-mark';

export function PersonLabel({ person }: { person: Author }) {
  return (
    <>
      <Avatar user={person} size={40} decorative />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1">
          <span dir="auto" className="truncate text-ui font-semibold">
            {person.fullName}
          </span>
          <VerifiedMark member={person} />
        </span>
        {person.headline && (
          <span dir="auto" className="block truncate text-micro text-muted-foreground">
            {person.headline}
          </span>
        )}
      </span>
    </>
  );
}
