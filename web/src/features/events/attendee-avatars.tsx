// The avatars of the first attendees, overlapping. Other elements show their number and names.
import type { Attendee } from '@/api/types';
import { Avatar } from '@/ui/avatar';

const shownAtMost = 4;

export function AttendeeAvatars({ attendees }: { attendees: Attendee[] }) {
  if (attendees.length === 0) return null;
  return (
    <span aria-hidden="true" className="flex -space-x-2">
      {attendees.slice(0, shownAtMost).map(({ id, user }) => (
        <Avatar key={id} user={user} size={32} decorative className="ring-2 ring-card" />
      ))}
    </span>
  );
}
