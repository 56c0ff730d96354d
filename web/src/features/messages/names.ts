// The names of the participants of a thread, by id.
import { useQuery } from '@tanstack/react-query';
import type { Thread } from '@/api/conversations';
import { groupMembersQuery } from '@/api/groups';
import { useTranslation } from '@/i18n/use-translation';

/** In a group, the names of its members and of the authors of the loaded messages, who may have left. */
export function useNames(thread: Thread, shown: Thread, other: string): (userId: string | null) => string {
  const { t } = useTranslation('messages');
  const { id, group } = thread.conversation;
  const members = useQuery({ ...groupMembersQuery(id), enabled: Boolean(group) }).data;
  if (!group) return (userId) => (userId === null ? t('former') : other);
  const senders = [...thread.messages, ...shown.messages].flatMap(({ sender }) => sender ?? []);
  const known = [...senders, ...group.members, ...(members ?? [])];
  const names = new Map(known.map((user) => [user.id, user.fullName]));
  return (userId) => (userId === null ? t('former') : (names.get(userId) ?? t('former')));
}
