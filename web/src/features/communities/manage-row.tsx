// A member in a list of the tab Manage, with a line about them and the buttons that act on them.
import type { ReactNode } from 'react';
import type { CommunityBan } from '@/api/schema.gen';
import { PersonName } from '@/features/network/person-name';
import { Avatar } from '@/ui/avatar';

export function ManageRow({
  user,
  line,
  children,
}: {
  user: CommunityBan['user'];
  line: ReactNode;
  /** The buttons. */
  children: ReactNode;
}) {
  return (
    <li className="flex gap-3.5 px-4 py-3.5 md:px-5">
      <Avatar user={user} size={44} decorative />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3.5 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <PersonName person={user} />
          <p className="text-caption text-muted-foreground wrap-anywhere">{line}</p>
        </div>
        {children}
      </div>
    </li>
  );
}
