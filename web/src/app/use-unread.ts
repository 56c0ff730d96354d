// How many messages wait unread, for the header and the bottom bar.
import { useQuery } from '@tanstack/react-query';
import { conversationsQuery } from '@/api/queries';
import { useAuth } from '@/session/auth';

export function useUnread(): number {
  const { user } = useAuth();
  const { data } = useQuery({ ...conversationsQuery, enabled: user !== null });
  return user ? (data ?? []).reduce((sum, { unreadCount }) => sum + unreadCount, 0) : 0;
}
